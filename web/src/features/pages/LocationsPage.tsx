import { Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { locationsQuery } from '../../api/pages.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { PlaceCard } from '../../shared/public-pages/PlaceCard.tsx';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { QueryState } from '../../ui/QueryState.tsx';
import classes from './Pages.module.css';

/** /locations: where frames are on display. */
export function LocationsPage() {
  const { t } = useTranslation('pages');
  const locations = useQuery(locationsQuery(currentLanguage()));
  return (
    <div className={classes.page} data-list>
      <DocumentTitle title={t('locations.title')} />
      <Title order={1}>{t('locations.title')}</Title>
      <Text size="lg">{t('locations.lead')}</Text>
      <QueryState query={locations} loading={<Skeleton height="14rem" />} align="flex-start">
        {(places) =>
          places.length === 0 ? (
            <>
              <Text c="dimmed">{t('locations.none')}</Text>
              <Link to="/index" className={classes.more}>
                {t('locations.start')}
              </Link>
            </>
          ) : (
            <ul className={classes.places}>
              {places.map((place) => (
                <li key={place.id}>
                  <PlaceCard place={place} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryState>
    </div>
  );
}
