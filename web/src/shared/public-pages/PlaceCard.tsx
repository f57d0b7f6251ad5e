import { htmlLangOf, type Place } from '@framelift/contract';
import { Button, Text, Title } from '@mantine/core';
import IconMapPin from '@tabler/icons-react/icons/IconMapPin';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Markdown } from '../markdown/Markdown.tsx';
import classes from './PlaceCard.module.css';

/** A search that phones hand to the map they have. */
const searchFor = (address: string) =>
  `https://www.google.com/maps/search/?${new URLSearchParams({ api: '1', query: address })}`;

/** A place where frames are on display: name, address, opening hours, a note, and a link to a map. */
export function PlaceCard({ place }: { place: Place }) {
  const { t } = useTranslation('pages');
  const titleId = useId();
  const { name, address, hours, note, map_url } = place;
  return (
    <article className={classes.card} aria-labelledby={titleId}>
      <Title order={2} size="h3" id={titleId} lang={htmlLangOf(name.language)}>
        {name.text}
      </Title>
      <address className={classes.address} lang={htmlLangOf(address.language)}>
        {address.text}
      </address>
      {hours && (
        <Text>
          <span className={classes.label}>{t('locations.hours')}</span>{' '}
          <span lang={htmlLangOf(hours.language)}>{hours.text}</span>
        </Text>
      )}
      {note && (
        <div lang={htmlLangOf(note.language)} className={classes.note}>
          <Markdown text={note.text} />
        </div>
      )}
      <Button
        component="a"
        href={map_url ?? searchFor(address.text)}
        target="_blank"
        rel="noreferrer"
        variant="default"
        leftSection={<IconMapPin size="1.25rem" aria-hidden />}
        aria-label={`${t('locations.map')}: ${name.text}`}
        className={classes.map ?? ''}
      >
        {t('locations.map')}
      </Button>
    </article>
  );
}
