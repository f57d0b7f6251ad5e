import { LIMITS, type MediaDetail } from '@framelift/contract';
import { ActionIcon, Button, Group, Slider, Stack, Text, Title } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle';
import IconArrowBackUp from '@tabler/icons-react/icons/IconArrowBackUp';
import IconArrowForwardUp from '@tabler/icons-react/icons/IconArrowForwardUp';
import IconBrush from '@tabler/icons-react/icons/IconBrush';
import IconCrop from '@tabler/icons-react/icons/IconCrop';
import IconUpload from '@tabler/icons-react/icons/IconUpload';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { percentOf } from '../../../api/devices.ts';
import { changeMedia, redoMediaChange, setMediaDepth, undoMediaChange } from '../../../api/media.ts';
import { formatBytes, formatNumber, formatPercent } from '../../../i18n/format.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import classes from './ChangePanel.module.css';
import type { Draft } from './use-draft.ts';

/** Share of the edge rows from which on a cut-off near thing is worth a word: photographs nearly all have some. */
const NOTABLE_VIOLATION = 0.6;
const PLANE_STEP = 0.05;

interface ChangePanelProps {
  readonly media: MediaDetail;
  readonly draft: Draft;
  readonly onEdit: (what: 'crop' | 'depth') => void;
}

/** What can be made of the same upload without sending it again: strength and plane live, crop and depth in editors. */
export function ChangePanel({ media, draft, onEdit }: ChangePanelProps) {
  const { t } = useTranslation('edit');
  const queries = useQueryClient();
  const change = useMutation({ mutationFn: () => changeMedia(queries, media.id, draft.change ?? {}) });
  const undo = useMutation({ mutationFn: () => undoMediaChange(queries, media.id) });
  const redo = useMutation({ mutationFn: () => redoMediaChange(queries, media.id) });
  const percent = (value: number) => formatPercent(value / 100, currentLanguage());
  const hasDepth = media.preview !== null;

  return (
    <section className={classes.panel} aria-labelledby="change-title">
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} size="h4" id="change-title">
          {t('title')}
        </Title>
        {(media.canUndo || media.canRedo) && (
          <Group gap="xs" wrap="nowrap">
            <ActionIcon
              variant="default"
              aria-label={t('undo')}
              title={t('undo')}
              disabled={!media.canUndo}
              loading={undo.isPending}
              onClick={() => undo.mutate()}
            >
              <IconArrowBackUp aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="default"
              aria-label={t('redo')}
              title={t('redo')}
              disabled={!media.canRedo}
              loading={redo.isPending}
              onClick={() => redo.mutate()}
            >
              <IconArrowForwardUp aria-hidden />
            </ActionIcon>
          </Group>
        )}
      </Group>

      <Strength draft={draft} />
      {hasDepth && draft.strength > 0 && <Plane draft={draft} />}
      {hasDepth && draft.strength > 0 && <ComfortNote media={media} draft={draft} />}

      {draft.change && (
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            {t('madeAt', { effect: percent(media.effect) })}
          </Text>
          <Button onClick={() => change.mutate()} loading={change.isPending}>
            {t('convert')}
          </Button>
          <Button variant="subtle" color="gray" onClick={draft.reset} disabled={change.isPending}>
            {t('reset')}
          </Button>
        </Stack>
      )}

      <Stack gap="xs">
        {media.whole && media.source && (
          <Button
            variant="default"
            justify="flex-start"
            classNames={{ root: classes.edit ?? '', label: classes.editLabel ?? '' }}
            leftSection={<IconCrop aria-hidden />}
            onClick={() => onEdit('crop')}
          >
            {t('crop.open')}
          </Button>
        )}
        {hasDepth && (
          <>
            <Button
              variant="default"
              justify="flex-start"
              classNames={{ root: classes.edit ?? '', label: classes.editLabel ?? '' }}
              leftSection={<IconBrush aria-hidden />}
              onClick={() => onEdit('depth')}
            >
              {t('depth.open')}
            </Button>
            <OwnDepth media={media} />
          </>
        )}
      </Stack>
    </section>
  );
}

function Strength({ draft }: { draft: Draft }) {
  const { t } = useTranslation('edit');
  const { offered, strength } = draft;
  if (offered.length < 2) return null;
  const at = offered.findLastIndex((effect) => percentOf(effect) <= strength);
  const shown = (value: number) => (value === 0 ? t('strength.none') : formatPercent(value / 100, currentLanguage()));
  return (
    <div>
      <Group justify="space-between" align="baseline" wrap="nowrap">
        <Text fw={500}>{t('strength.label')}</Text>
        <Text fw={650} className="tabular">
          {shown(strength)}
        </Text>
      </Group>
      <Slider
        className={classes.slider}
        classNames={{ bar: classes.depthBar ?? '', thumb: classes.thumb ?? '' }}
        thumbSize={28}
        label={null}
        min={0}
        max={offered.length - 1}
        step={1}
        marks={offered.map((_, value) => ({ value }))}
        value={Math.max(0, at)}
        thumbLabel={t('strength.label')}
        thumbValueText={shown(strength)}
        onChange={(index) => {
          const effect = offered[index];
          if (effect) draft.choose(effect);
        }}
      />
    </div>
  );
}

function Plane({ draft }: { draft: Draft }) {
  const { t } = useTranslation('edit');
  const { convergence, subject } = draft;
  const value = convergence ?? subject ?? 0.5;
  const text = convergence === null ? t('plane.subject') : formatPercent(convergence, currentLanguage());
  return (
    <div>
      <Group justify="space-between" align="baseline" wrap="nowrap">
        <Text fw={500}>{t('plane.label')}</Text>
        <Text fw={650} className="tabular">
          {text}
        </Text>
      </Group>
      <Slider
        className={classes.slider}
        classNames={{ thumb: classes.thumb ?? '', bar: classes.noBar ?? '', track: classes.planeTrack ?? '' }}
        thumbSize={28}
        label={null}
        min={0}
        max={1}
        step={PLANE_STEP}
        value={value}
        thumbLabel={t('plane.label')}
        thumbValueText={text}
        onChange={(depth) => draft.setConvergence(Math.round(depth / PLANE_STEP) * PLANE_STEP)}
      />
      <Group justify="space-between" gap="xs" wrap="nowrap" className={classes.ends}>
        <span>{t('plane.far')}</span>
        <span>{t('plane.near')}</span>
      </Group>
      <Text size="sm" c="dimmed">
        {t('plane.help')}
      </Text>
      {convergence !== null && (
        <Button variant="subtle" size="sm" className={classes.small ?? ''} onClick={() => draft.setConvergence(null)}>
          {t('plane.reset')}
        </Button>
      )}
    </div>
  );
}

/** How far things travel, and a warning where that is held back. */
function ComfortNote({ media, draft }: { media: MediaDetail; draft: Draft }) {
  const { t } = useTranslation('edit');
  const { comfort } = draft;
  if (!comfort) return null;
  const percent = (value: number) => `${formatNumber(Math.round(value * 10) / 10, currentLanguage())}%`;
  const held = comfort.clamped;
  const cut = !held && comfort.windowViolation >= NOTABLE_VIOLATION;
  return (
    <div className={classes.comfort} data-warns={held || undefined} role="status">
      {held && <IconAlertTriangle className={classes.sign} size="1.25rem" aria-hidden />}
      <Text size="sm">
        {held
          ? t('comfort.held', {
              wish: percent(comfort.wishedDisparityPercent),
              travel: percent(comfort.largestDisparityPercent),
              device: media.deviceType.name,
            })
          : t('comfort.fine', { travel: percent(comfort.largestDisparityPercent) })}{' '}
        {cut && t('comfort.cut')}
      </Text>
    </div>
  );
}

function OwnDepth({ media }: { media: MediaDetail }) {
  const { t } = useTranslation('edit');
  const queries = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const help = useId();
  const send = useMutation({ mutationFn: (file: File) => setMediaDepth(queries, media.id, file) });
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/png,image/jpeg"
        aria-label={t('map.open')}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          // So that choosing the same file again counts as a choice.
          event.currentTarget.value = '';
          if (file) send.mutate(file);
        }}
      />
      <Button
        variant="default"
        justify="flex-start"
        classNames={{ root: classes.edit ?? '', label: classes.editLabel ?? '' }}
        leftSection={<IconUpload aria-hidden />}
        aria-describedby={help}
        loading={send.isPending}
        onClick={() => input.current?.click()}
      >
        {t('map.open')}
      </Button>
      <Text size="sm" c="dimmed" id={help}>
        {t('map.help', { size: formatBytes(LIMITS.depthMap.bytes, currentLanguage()) })}
      </Text>
    </>
  );
}
