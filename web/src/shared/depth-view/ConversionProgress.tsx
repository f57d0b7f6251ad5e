import type { MediaDetail } from '@framelift/contract';
import { Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import IconCheck from '@tabler/icons-react/icons/IconCheck';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber, formatPercent, formatSeconds } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { editOf } from '../../ui/crop/picture-edit.ts';
import { useEditedPicture } from '../../ui/crop/use-edited-picture.ts';
import { sentPicture } from '../sent-picture.ts';
import classes from './ConversionProgress.module.css';
import { SHOWN_STEPS, stateOfStep } from './conversion-steps.ts';

interface ConversionProgressProps {
  readonly media: MediaDetail;
  readonly onCancel: () => void;
  readonly cancelling: boolean;
}

/** Progress of a conversion: the dimmed picture in a frame whose red and cyan outlines converge, the steps, and the remaining time. */
export function ConversionProgress({ media, onCancel, cancelling }: ConversionProgressProps) {
  const { t } = useTranslation('depth');
  const language = currentLanguage();
  const { width, height } = media.crop ?? { width: 3, height: 4 };
  const step = media.film && media.step === 'open' ? t('step.openVideo') : t(`step.${media.step}`);
  const apart = 1 - media.progress / 100;
  return (
    <Stack gap="lg" align="center" className={classes.progress} style={{ '--apart': apart } as CSSProperties}>
      <div
        className={classes.frame}
        style={{ '--aspect': width / height } as CSSProperties}
        role="progressbar"
        aria-label={t('progress.label')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={media.progress}
        aria-valuetext={`${formatPercent(media.progress / 100, language)} ${step}`}
      >
        <DimmedPicture media={media} />
        <span className={classes.red} />
        <span className={classes.cyan} />
        <span className={classes.percent}>{formatPercent(media.progress / 100, language)}</span>
      </div>

      <Stack gap={4} align="center">
        <Text fw={600} role="status" ta="center">
          {step}
        </Text>
        {media.film && media.film.frame > 0 && (
          <Text size="sm" className="tabular">
            {t('progress.frames', {
              frame: formatNumber(media.film.frame, language),
              frames: formatNumber(media.film.frames, language),
            })}
          </Text>
        )}
        {media.failure && (
          <Text size="sm" ta="center">
            {media.failure.message}
          </Text>
        )}
        <Text c="dimmed" size="sm" className={classes.left}>
          {media.timeLeft !== null && t('progress.left', { time: formatSeconds(media.timeLeft, language) })}
        </Text>
      </Stack>

      <ol className={classes.steps}>
        {SHOWN_STEPS.map((shown) => {
          const state = stateOfStep(shown, media.step);
          return (
            <li key={shown} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
              <span className={classes.dot}>
                {state === 'done' && <IconCheck size="0.9em" stroke={3} aria-hidden />}
              </span>
              {t(`progress.${shown}`)}
              {state === 'done' && <VisuallyHidden>✓</VisuallyHidden>}
            </li>
          );
        })}
      </ol>
      <Group>
        <Button variant="subtle" color="gray" onClick={onCancel} loading={cancelling}>
          {t('progress.cancel')}
        </Button>
      </Group>
    </Stack>
  );
}

/** The crop of the member's own picture: the one just sent from this page, else the server's uncropped preview. */
function DimmedPicture({ media: { id, whole, source, crop } }: { media: MediaDetail }) {
  const sent = sentPicture(id);
  const edited = useEditedPicture(sent === null ? whole : null, source, editOf(crop));
  if (sent === null && !edited) return null;
  const place =
    edited && crop
      ? {
          width: `${(edited.size.width / crop.width) * 100}%`,
          height: `${(edited.size.height / crop.height) * 100}%`,
          left: `${(-crop.x / crop.width) * 100}%`,
          top: `${(-crop.y / crop.height) * 100}%`,
        }
      : undefined;
  return (
    <span className={classes.picture}>
      <img src={sent ?? edited?.url} alt="" style={place} />
    </span>
  );
}
