import type { OwnFrame } from '@framelift/contract';
import { Text } from '@mantine/core';
import IconDeviceTv from '@tabler/icons-react/icons/IconDeviceTv';
import { useTranslation } from 'react-i18next';
import { formatMoment } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import classes from './FramePage.module.css';

/** What the frame shows now, drawn in the shape of its screen. */
export function NowShowing({ frame: { screen, showing, online } }: { frame: OwnFrame }) {
  const { t } = useTranslation('frames');
  const shown = online ? showing : null;
  return (
    <section className={classes.now} aria-label={t('now.title')}>
      <span className={classes.screen} style={{ aspectRatio: `${screen.width} / ${screen.height}` }}>
        {shown?.cover ? <img src={shown.cover} alt="" /> : <IconDeviceTv aria-hidden />}
      </span>
      <div className={classes.nowText}>
        <Text size="sm" c="dimmed">
          {t('now.title')}
        </Text>
        <Text fw={600} className={classes.title ?? ''}>
          {shown ? shown.name : t('now.nothing')}
        </Text>
        {shown && (
          <Text size="sm" c="dimmed" component="time" dateTime={shown.since}>
            {t('now.since', { time: formatMoment(shown.since, new Date(), currentLanguage()) })}
          </Text>
        )}
      </div>
    </section>
  );
}
