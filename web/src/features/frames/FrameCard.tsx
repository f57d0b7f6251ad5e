import type { OwnFrame } from '@framelift/contract';
import { Button, Text } from '@mantine/core';
import IconDeviceTv from '@tabler/icons-react/icons/IconDeviceTv';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { FrameLight } from '../../shared/show-on-frame/FrameLight.tsx';
import { FrameName } from './FrameName.tsx';
import classes from './Frames.module.css';
import { kindOf, screenSize } from './frame-words.ts';
import { useUnpair } from './use-unpair.ts';

/** One frame of the member, with what it shows; it can be renamed in place and unpaired. */
export function FrameCard({ frame, onGone }: { frame: OwnFrame; onGone: () => void }) {
  const { t } = useTranslation('frames');
  const unpairing = useUnpair(frame, onGone);
  const { id, name, showing } = frame;
  const address = `/menu/frameSetting/${id}`;
  return (
    <li className={classes.frame}>
      <Link to={address} className={classes.screen} tabIndex={-1} aria-hidden>
        {showing?.cover ? <img src={showing.cover} alt="" loading="lazy" decoding="async" /> : <IconDeviceTv />}
      </Link>
      <div className={classes.about}>
        <FrameName frame={frame}>
          <Text fw={600} component="h2">
            <Link to={address} className={classes.nameLink}>
              {name}
            </Link>
          </Text>
        </FrameName>
        <FrameLight frame={frame} />
        <Text size="sm" c="dimmed">
          {t('facts', { kind: kindOf(frame.kind), screen: screenSize(frame.screen) })}
        </Text>
      </div>
      <Button
        variant="default"
        className={classes.unpair ?? ''}
        aria-label={t('unpairOf', { name })}
        loading={unpairing.isPending}
        onClick={unpairing.run}
      >
        {t('unpair')}
      </Button>
    </li>
  );
}
