import { LIMITS } from '@framelift/contract';
import { ActionIcon, Button, type ButtonProps } from '@mantine/core';
import IconDeviceImacShare from '@tabler/icons-react/icons/IconDeviceImacShare';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { configQuery } from '../../api/config.ts';
import { useSession } from '../../api/session.ts';
import { lazyNamed } from '../../ui/lazy-named.ts';
import { showToast } from '../../ui/toasts.ts';
import type { ToShow } from './pending-show.ts';

const ShowOnFrameDialog = lazyNamed(() => import('./ShowOnFrameDialog.tsx'), 'ShowOnFrameDialog');

interface Props extends Omit<ButtonProps, 'children'> {
  readonly mediaIds?: readonly string[];
  readonly albumIds?: readonly string[];
  /** What is shown is still being converted; it is shown as soon as it is finished. */
  readonly whenReady?: boolean;
  /** Shows the symbol alone, among others. */
  readonly iconOnly?: boolean;
  /** Called after the dialog was closed in which it was shown on a frame. */
  readonly onDone?: () => void;
}

/** Shows pictures, videos or albums on frames. For members only, and where the operator has switched frames on. */
export function ShowOnFrameButton({
  mediaIds = [],
  albumIds = [],
  whenReady = false,
  iconOnly = false,
  onDone,
  ...button
}: Props) {
  const { t } = useTranslation('frames');
  const { kind } = useSession();
  const { data: config } = useQuery(configQuery);
  const [what, setWhat] = useState<ToShow | null>(null);
  if (kind !== 'member' || (config && config.features.frameSetting !== 'on')) return null;
  const open = () => {
    const max = LIMITS.frames.items;
    if (mediaIds.length > max) showToast({ kind: 'warning', text: t('show.tooMany', { max }) });
    else setWhat({ mediaIds, albumIds });
  };
  return (
    <>
      {iconOnly ? (
        <ActionIcon aria-label={t('show.button')} title={t('show.button')} onClick={open}>
          <IconDeviceImacShare size="1.25rem" stroke={1.5} aria-hidden />
        </ActionIcon>
      ) : (
        <Button
          variant="default"
          leftSection={<IconDeviceImacShare size="1.25rem" aria-hidden />}
          {...button}
          onClick={open}
        >
          {t(whenReady ? 'show.whenReady' : 'show.button')}
        </Button>
      )}
      <Suspense fallback={null}>
        {what && (
          <ShowOnFrameDialog
            what={what}
            onClosed={(shown) => {
              setWhat(null);
              if (shown) onDone?.();
            }}
          />
        )}
      </Suspense>
    </>
  );
}
