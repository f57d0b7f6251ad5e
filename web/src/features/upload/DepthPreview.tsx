import { type DeviceType, LIMITS } from '@framelift/contract';
import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import IconCube from '@tabler/icons-react/icons/IconCube';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { depthPreviewQuery } from '../../api/media.ts';
import { formatPercent } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { type CropSource, cropCopy } from '../../ui/crop/crop-copy.ts';
import { lazyNamed } from '../../ui/lazy-named.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import classes from './DepthPreview.module.css';

const DepthView = lazyNamed(() => import('../../shared/depth-view/DepthView.tsx'), 'DepthView');

export interface PreviewSource extends CropSource {
  /** Tells this picture from others; with the crop, what the preview shows. */
  readonly picture: string;
}

/** Tells a chosen file from others: its object URLs change. */
export const fileKey = ({ name, size, lastModified }: File) => `${name} ${size} ${lastModified}`;

interface DepthPreviewProps {
  readonly source: PreviewSource;
  /** Strength with which the preview moves, 1 … 100. */
  readonly percent: number;
  readonly device: DeviceType | undefined;
  /** True while the picture is uploaded: its conversion needs the server more. */
  readonly stopped: boolean;
  /** Shown until there is a preview. */
  readonly children?: ReactNode;
}

/** The member's own picture in 3D, on request and before it is uploaded. Whatever becomes of it, the upload can begin. */
export function DepthPreview({ source, percent, device, stopped, children }: DepthPreviewProps) {
  const { t } = useTranslation('upload');
  const queries = useQueryClient();
  const { picture, rect, ground } = source;
  const shown = JSON.stringify([picture, rect, ground]);
  const [asked, setAsked] = useState<string | null>(null);
  const query = useQuery({
    ...depthPreviewQuery(shown, () => cropCopy(source, LIMITS.depthPreview.longestPx)),
    enabled: asked === shown && !stopped,
  });
  const cancel = () => {
    setAsked(null);
    void queries.cancelQueries({ queryKey: depthPreviewQuery(shown, async () => null).queryKey });
  };
  useEffect(() => {
    if (!stopped) return;
    // After an upload that failed, the preview waits to be asked for again.
    setAsked(null);
    void queries.cancelQueries({ queryKey: ['depthPreview'] });
  }, [stopped, queries]);
  const ask = () => {
    setAsked(shown);
    // What has failed is not asked for again by itself.
    if (query.isError) void query.refetch();
  };
  const place = useRef<HTMLDivElement>(null);
  const phase = query.data ? 'ready' : query.isFetching ? 'running' : 'idle';
  const last = useRef(phase);
  useEffect(() => {
    if (last.current === phase) return;
    last.current = phase;
    // The button that had the focus is gone.
    if (document.activeElement === document.body) place.current?.focus();
  }, [phase]);

  if (query.data)
    return (
      <Stack gap="xs" ref={place} tabIndex={-1}>
        <Suspense fallback={<Spinner />}>
          <DepthView
            className={classes.view ?? ''}
            parts={query.data}
            size={rect}
            strength={percent}
            budget={device?.disparityBudget}
            label={t('preview.label')}
          />
        </Suspense>
        <Text size="sm" c="dimmed">
          {t('preview.note', { effect: formatPercent(percent / 100, currentLanguage()) })}
        </Text>
      </Stack>
    );
  return (
    <Stack gap="xs" ref={place} tabIndex={-1}>
      {children}
      {phase === 'running' ? (
        <Stack gap="xs" aria-live="polite">
          <Group justify="space-between" wrap="nowrap" gap="sm">
            <Text size="sm">{t('preview.running')}</Text>
            <Button variant="subtle" color="gray" className={classes.cancel ?? ''} onClick={cancel}>
              {t('preview.cancel')}
            </Button>
          </Group>
          {/* How far it is is not known: it has no value. */}
          <Progress.Root size="sm" radius="xl">
            <Progress.Section
              value={100}
              animated
              withAria={false}
              role="progressbar"
              aria-label={t('preview.running')}
            />
          </Progress.Root>
        </Stack>
      ) : (
        <>
          {query.isError && (
            <Text size="sm" role="alert">
              {t('preview.failed')}
            </Text>
          )}
          <Button variant="default" leftSection={<IconCube size="1.1em" aria-hidden />} onClick={ask}>
            {t(query.isError ? 'preview.again' : 'preview.show')}
          </Button>
        </>
      )}
    </Stack>
  );
}
