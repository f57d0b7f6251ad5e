import { type SharedMedia, sharedTitle } from '@framelift/contract';
import type { DepthMode } from '@framelift/engine/webgl';
import { type CSSProperties, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyNamed } from '../../ui/lazy-named.ts';
import classes from './Shared.module.css';

const DepthView = lazyNamed(() => import('../../shared/depth-view/DepthView.tsx'), 'DepthView');

/** The live 3D picture, the video, or the flat picture of a public link. Its place is held from the first moment. */
export function SharedStage({ media, mode }: { media: SharedMedia; mode: DepthMode }) {
  const { t } = useTranslation('share');
  const { preview, film, picture, size } = media;
  const name = sharedTitle(media.name);
  const shape = { '--aspect': size.width / size.height } as CSSProperties;
  if (preview) {
    const still = <img className={classes.still} style={shape} src={preview.colour} alt="" />;
    return (
      <Suspense fallback={still}>
        <DepthView
          parts={preview}
          size={size}
          mode={mode}
          strength={media.effect}
          budget={media.budget}
          convergence={media.convergence ?? undefined}
          views={media.views}
          label={t('page.label', { name })}
        />
      </Suspense>
    );
  }
  if (film) {
    return (
      <video
        className={classes.still}
        style={shape}
        src={film}
        poster={picture ?? undefined}
        controls
        playsInline
        preload="metadata"
        aria-label={t('page.video', { name })}
      >
        <track kind="captions" />
      </video>
    );
  }
  return picture && <img className={classes.still} style={shape} src={picture} alt={name} />;
}
