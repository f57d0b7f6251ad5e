import type { MediaDetail } from '@framelift/contract';
import { Button, Group, Slider, Text } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle';
import { useTranslation } from 'react-i18next';
import { percentOf } from '../../../api/device-types.ts';
import { formatNumber, formatPercent } from '../../../i18n/format.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import { useDeviceName } from '../../../shared/device-name.ts';
import classes from './ChangePanel.module.css';
import type { Draft } from './use-draft.ts';

/** Fraction of the edge rows from which a near object cut off at the edge is reported: most photographs have some. */
const NOTABLE_VIOLATION = 0.6;
const PLANE_STEP = 0.05;

/** Effect strengths offered for the frame. */
export function Strength({ draft }: { draft: Draft }) {
  const { t } = useTranslation('edit');
  const { offered, strength } = draft;
  if (offered && offered.length < 2) return null;
  const steps = offered ?? [];
  const at = steps.findLastIndex((effect) => percentOf(effect) <= strength);
  const shown = (value: number) => (value === 0 ? t('strength.none') : formatPercent(value / 100, currentLanguage()));
  return (
    // Until the strengths are known it only keeps its place, so that nothing below moves.
    <div className={offered ? undefined : classes.measuring} aria-hidden={!offered}>
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
        max={Math.max(1, steps.length - 1)}
        step={1}
        marks={steps.map((_, value) => ({ value }))}
        value={Math.max(0, at)}
        thumbLabel={t('strength.label')}
        thumbValueText={shown(strength)}
        onChange={(index) => {
          const effect = steps[index];
          if (effect) draft.choose(effect);
        }}
      />
    </div>
  );
}

/** Convergence: the depth that lies in the plane of the frame. */
export function Plane({ draft }: { draft: Draft }) {
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

/** Shows the largest disparity, and a warning where it is limited. */
export function ComfortNote({ media, draft }: { media: MediaDetail; draft: Draft }) {
  const { t } = useTranslation('edit');
  const nameOf = useDeviceName();
  const { comfort } = draft;
  const percent = (value: number) => `${formatNumber(Math.round(value * 10) / 10, currentLanguage())}%`;
  if (!comfort) {
    // Its room, so that nothing below moves once the picture has been measured.
    return (
      <div className={`${classes.comfort} ${classes.measuring}`} aria-hidden>
        <Text size="sm">{t('comfort.fine', { travel: percent(0) })}</Text>
      </div>
    );
  }
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
              device: nameOf(media.deviceType),
            })
          : t('comfort.fine', { travel: percent(comfort.largestDisparityPercent) })}{' '}
        {cut && t('comfort.cut')}
      </Text>
    </div>
  );
}
