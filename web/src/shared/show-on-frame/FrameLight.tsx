import type { OwnFrame } from '@framelift/contract';
import IconCircleArrowDown from '@tabler/icons-react/icons/IconCircleArrowDown';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import IconCircleDashed from '@tabler/icons-react/icons/IconCircleDashed';
import IconCloudOff from '@tabler/icons-react/icons/IconCloudOff';
import IconPlugConnectedX from '@tabler/icons-react/icons/IconPlugConnectedX';
import { useTranslation } from 'react-i18next';
import { formatDateTime, formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { relativeTime } from '../../i18n/relative-time.ts';
import classes from './FrameLight.module.css';

const ICONS = {
  upToDate: IconCircleCheck,
  downloading: IconCircleArrowDown,
  offline: IconCloudOff,
  empty: IconCircleDashed,
  never: IconPlugConnectedX,
} as const satisfies Record<OwnFrame['state'], unknown>;

/** State of a frame in one line: a symbol of its own and words for each, so that it does not depend on colours. */
export function FrameLight({ frame }: { frame: Pick<OwnFrame, 'state' | 'count' | 'waiting' | 'lastSeenAt'> }) {
  const { t } = useTranslation('frames');
  const { state, count, waiting, lastSeenAt } = frame;
  const language = currentLanguage();
  const Icon = ICONS[state];
  const number = (value: number) => formatNumber(value, language);
  const text = () => {
    if (state === 'downloading' && waiting > 0) {
      return t('light.preparing', { done: number(count), total: number(count + waiting) });
    }
    if (state !== 'offline' || lastSeenAt === null) return t(`light.${state}`);
    const time = relativeTime(lastSeenAt, Date.now(), language);
    return (
      <time dateTime={lastSeenAt} title={formatDateTime(lastSeenAt, language)}>
        {time === null ? t('light.offline') : t('light.seen', { time })}
      </time>
    );
  };
  return (
    <span className={classes.light} data-state={state}>
      <Icon size="1.25rem" stroke={1.75} aria-hidden />
      <span>{text()}</span>
    </span>
  );
}
