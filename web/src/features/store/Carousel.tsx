import type { Product } from '@framelift/contract';
import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import IconPhoto from '@tabler/icons-react/icons/IconPhoto';
import IconPlayerPlay from '@tabler/icons-react/icons/IconPlayerPlay';
import { type KeyboardEvent, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StepButtons } from '../../shared/media-viewer/StepButtons.tsx';
import { useSwipe } from '../../shared/media-viewer/use-swipe.ts';
import { lazyNamed } from '../../ui/lazy-named.ts';
import classes from './Carousel.module.css';
import { carouselIndex } from './carousel-index.ts';

const DepthView = lazyNamed(() => import('../../shared/depth-view/DepthView.tsx'), 'DepthView');

/** Dots shown at once; of more pictures, those around the current one. */
const DOTS = 5;

/**
 * The pictures of a product, one at a time and live in 3D: by swipes, arrows, dots and arrow keys. The place is as high
 * for every picture.
 */
export function Carousel({ product }: { product: Pick<Product, 'name' | 'media'> }) {
  const { t } = useTranslation('store');
  const { name, media } = product;
  const count = media.length;
  const [wanted, setWanted] = useState(0);
  const index = carouselIndex(wanted, count);
  const go = (by: number) => setWanted(carouselIndex(index + by, count));
  const swipe = useSwipe(go);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -count, End: count }[event.key];
    if (by === undefined) return;
    go(by);
    event.preventDefault();
    // Not to the picture, whose view the arrow keys move elsewhere.
    event.stopPropagation();
  };
  const first = carouselIndex(index - Math.floor(DOTS / 2), Math.max(1, count - DOTS + 1));
  const shown = media[index];
  const position = t('position', { number: index + 1, count });
  return (
    <section
      className={classes.carousel}
      aria-roledescription={t('carousel')}
      aria-label={t('picturesOf', { name })}
      onKeyDownCapture={onKeyDown}
    >
      <div className={classes.stage} {...swipe} data-testid="carousel">
        {shown ? <Slide key={shown.id} media={shown} label={`${name}, ${position}`} /> : <IconPhoto aria-hidden />}
        {count > 1 && (
          <StepButtons
            index={index}
            count={count}
            onGo={go}
            labels={{ previous: t('previous'), next: t('next') }}
            classes={classes}
          />
        )}
      </div>
      <VisuallyHidden role="status">{count > 0 && position}</VisuallyHidden>
      {count > 1 && (
        <div className={classes.dots}>
          {media.slice(first, first + DOTS).map(({ id }, place) => (
            <UnstyledButton
              key={id}
              className={classes.dot}
              aria-label={t('position', { number: first + place + 1, count })}
              aria-current={first + place === index ? 'true' : undefined}
              onClick={() => setWanted(first + place)}
            />
          ))}
        </div>
      )}
    </section>
  );
}

/** The cover, and over it the live view once both are loaded. */
function Slide({ media, label }: { media: Product['media'][number]; label: string }) {
  const { t } = useTranslation('store');
  const { cover, preview } = media;
  const [size, setSize] = useState<{ readonly width: number; readonly height: number } | null>(null);
  const still = cover ?? preview?.colour;
  return (
    <div className={classes.slide}>
      {still ? (
        <img
          className={classes.still}
          src={still}
          alt={preview ? '' : label}
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setSize({ width, height })}
        />
      ) : (
        <IconPhoto aria-hidden />
      )}
      {preview && size && (
        <Suspense fallback={null}>
          <DepthView className={classes.live ?? ''} parts={preview} size={size} label={label} />
        </Suspense>
      )}
      {media.media_type === 0 && (
        <span className={classes.video}>
          <IconPlayerPlay size="1.1em" aria-hidden />
          {t('video')}
        </span>
      )}
    </div>
  );
}
