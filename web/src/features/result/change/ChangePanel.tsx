import type { MediaDetail } from '@framelift/contract';
import { ActionIcon, Button, Group, Stack, Text, Title } from '@mantine/core';
import IconArrowBackUp from '@tabler/icons-react/icons/IconArrowBackUp';
import IconArrowForwardUp from '@tabler/icons-react/icons/IconArrowForwardUp';
import IconBadge3d from '@tabler/icons-react/icons/IconBadge3d';
import IconBrush from '@tabler/icons-react/icons/IconBrush';
import IconCrop from '@tabler/icons-react/icons/IconCrop';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { changeMedia, improveMedia, redoMediaChange, undoMediaChange } from '../../../api/media.ts';
import { formatPercent } from '../../../i18n/format.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import classes from './ChangePanel.module.css';
import { ComfortNote, Plane, Strength } from './ChangeSliders.tsx';
import { OwnDepth } from './OwnDepth.tsx';
import type { Draft } from './use-draft.ts';

interface ChangePanelProps {
  readonly media: MediaDetail;
  readonly draft: Draft;
  readonly onEdit: (what: 'crop' | 'depth') => void;
}

/** Changes a conversion without a new upload: strength and convergence live, crop and depth in editors. */
export function ChangePanel({ media, draft, onEdit }: ChangePanelProps) {
  const { t } = useTranslation('edit');
  const change = useMutation(changeMedia(media.id));
  const undo = useMutation(undoMediaChange);
  const redo = useMutation(redoMediaChange);
  const improve = useMutation(improveMedia);
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
              onClick={() => undo.mutate(media.id)}
            >
              <IconArrowBackUp aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="default"
              aria-label={t('redo')}
              title={t('redo')}
              disabled={!media.canRedo}
              loading={redo.isPending}
              onClick={() => redo.mutate(media.id)}
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
          <Button onClick={() => draft.change && change.mutate(draft.change)} loading={change.isPending}>
            {t('convert')}
          </Button>
          <Button variant="subtle" color="gray" onClick={draft.reset} disabled={change.isPending}>
            {t('reset')}
          </Button>
        </Stack>
      )}

      {media.betterDepth && (
        <Stack gap="xs">
          <Text size="sm">{t('better.text')}</Text>
          <Button
            variant="light"
            leftSection={<IconBadge3d aria-hidden />}
            loading={improve.isPending}
            onClick={() => improve.mutate(media.id)}
          >
            {t('better.run')}
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
