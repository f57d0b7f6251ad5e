import type { OwnFrame } from '@framelift/contract';
import { Text } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../i18n/index.ts';
import { relativeTime } from '../../i18n/relative-time.ts';
import classes from './FramePage.module.css';

/** The last problems are enough: the frame goes on with the next picture after each. */
const MOST = 3;

/** What a frame could not do lately, each in a sentence with what to do about it. */
export function FrameProblems({ problems }: { problems: OwnFrame['problems'] }) {
  const { t } = useTranslation('frames');
  if (problems.length === 0) return null;
  return (
    <section className={classes.problems} aria-label={t('problems.title')}>
      <IconAlertTriangle size="1.25rem" aria-hidden />
      <ul>
        {problems.slice(0, MOST).map(({ at, name, code, detail }) => {
          const time = relativeTime(at, Date.now(), currentLanguage());
          return (
            <li key={`${at} ${code} ${name}`} title={detail}>
              <Text component="span">
                {name === null ? t(`problems.frame.${code}`) : t(`problems.item.${code}`, { name })}
              </Text>{' '}
              <Text component="time" size="sm" c="dimmed" dateTime={at}>
                {time ?? t('problems.now')}
              </Text>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
