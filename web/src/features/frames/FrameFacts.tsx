import type { OwnFrame } from '@framelift/contract';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatDate } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import classes from './FramePage.module.css';
import { kindOf, screenSize } from './frame-words.ts';
import { useUnpair } from './use-unpair.ts';

/** What the frame is, and how to part with it. */
export function FrameFacts({ frame, onGone }: { frame: OwnFrame; onGone: () => void }) {
  const { t } = useTranslation('frames');
  const unpairing = useUnpair(frame, onGone);
  const facts = [
    [t('confirm.kind'), kindOf(frame.kind)],
    [t('confirm.screen'), screenSize(frame.screen)],
    [t('about.version'), frame.version ?? '\u2013'],
    [t('about.paired'), formatDate(frame.pairedAt, currentLanguage())],
  ];
  return (
    <section className={classes.group}>
      <h2 className={classes.groupTitle}>{t('about.title')}</h2>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="tabular">{value}</dd>
          </div>
        ))}
      </dl>
      <Button
        variant="default"
        className={classes.unpair ?? ''}
        aria-label={t('unpairOf', { name: frame.name })}
        loading={unpairing.isPending}
        onClick={unpairing.run}
      >
        {t('unpair')}
      </Button>
    </section>
  );
}
