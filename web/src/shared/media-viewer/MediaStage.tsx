import { MEDIA_STATUS, type Media } from '@framelift/contract';
import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { mediaQuery, usePolledMedia } from '../../api/media.ts';
import { formatPercent } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { lazyNamed } from '../../ui/lazy-named.ts';
import classes from './MediaViewer.module.css';

const DepthView = lazyNamed(() => import('../depth-view/DepthView.tsx'), 'DepthView');

interface Props {
  readonly media: Media;
  /** Videos play once and then report their end, instead of repeating. */
  readonly onEnded?: (() => void) | undefined;
}

/** One media as large as fits: a picture with its depth, a video, or why there is none. */
export function MediaStage({ media: listed, onEnded }: Props) {
  const { t } = useTranslation('viewer');
  const media = usePolledMedia(listed);
  const { data: detail, isError } = useQuery(mediaQuery(media.id));
  // The cover of the list stays visible below the larger picture until that is loaded.
  const still = media.cover && (
    <img
      className={classes.still}
      src={detail?.picture ?? media.cover}
      alt={media.name}
      style={{ '--cover': `url("${media.cover}")` } as CSSProperties}
    />
  );

  if (media.status === MEDIA_STATUS.processing) {
    const percent = formatPercent(media.progress / 100, currentLanguage());
    return <p className={classes.note}>{t('processing', { percent })}</p>;
  }
  if (media.status !== MEDIA_STATUS.finished) return <p className={classes.note}>{t('failed')}</p>;
  if (isError) return still || <p className={classes.note}>{t('unreachable')}</p>;
  if (detail?.film?.preview)
    return (
      <video
        className={classes.video}
        src={detail.film.preview}
        aria-label={media.name}
        controls
        autoPlay
        muted
        playsInline
        loop={!onEnded}
        onEnded={onEnded}
        onError={onEnded}
      />
    );
  if (!detail?.preview) return still;
  const size = detail.crop ?? { width: 3, height: 4 };
  return (
    <div className={classes.picture} style={{ '--aspect': size.width / size.height } as CSSProperties}>
      <Suspense fallback={still}>
        <DepthView
          parts={detail.preview}
          size={size}
          label={t('picture', { name: media.name })}
          strength={media.effect}
          budget={detail.deviceType.disparityBudget}
          convergence={detail.convergence ?? undefined}
        />
      </Suspense>
    </div>
  );
}
