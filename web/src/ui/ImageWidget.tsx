import IconPhotoOff from '@tabler/icons-react/icons/IconPhotoOff';
import { Suspense, useEffect, useRef, useState } from 'react';
import classes from './ImageWidget.module.css';
import { lazyNamed } from './lazy-named.ts';

const InlineSvg = lazyNamed(() => import('./InlineSvg.tsx'), 'InlineSvg');

interface ImageWidgetProps {
  readonly src: string;
  /** Empty for a decorative picture whose meaning is in the adjacent text. */
  readonly alt: string;
  /**
   * Shown on hover, focus or touch; defaults to the same name with `_1`. If there is no such file, nothing is swapped.
   */
  readonly hoverSrc?: string;
  readonly className?: string | undefined;
}

/**
 * A picture that is swapped for another on hover, touch, or focus of the surrounding link or button. Our own SVGs are
 * inlined and take the text colour.
 */
export function ImageWidget(props: ImageWidgetProps) {
  return <Swapping key={props.src} {...props} />;
}

function Swapping({ src, alt, hoverSrc = hoverPath(src), className }: ImageWidgetProps) {
  const place = useRef<HTMLSpanElement>(null);
  const [hovered, setHovered] = useState(false);
  const [wanted, setWanted] = useState(false);
  const [hover, setHover] = useState<'unknown' | 'there' | 'missing'>('unknown');
  const [broken, setBroken] = useState(false);
  const swapped = hovered && hover === 'there';

  useEffect(() => {
    const own = place.current;
    const host = own?.closest('a, button') ?? own;
    if (!host) return;
    const enter = () => {
      setWanted(true);
      setHovered(true);
    };
    const leave = () => setHovered(false);
    // Pointer events cover touch too: a finger enters when it touches and leaves when it is lifted.
    const listeners = Object.entries({ pointerenter: enter, pointerleave: leave, focusin: enter, focusout: leave });
    for (const [type, listener] of listeners) host.addEventListener(type, listener);
    return () => {
      for (const [type, listener] of listeners) host.removeEventListener(type, listener);
    };
  }, []);

  return (
    <span
      ref={place}
      className={className ? `${classes.place} ${className}` : classes.place}
      data-state={swapped ? 'hover' : 'normal'}
    >
      {broken ? (
        <span className={classes.broken} {...(alt ? { role: 'img', 'aria-label': alt } : { 'aria-hidden': true })}>
          <IconPhotoOff aria-hidden />
        </span>
      ) : (
        <Picture src={src} alt={swapped ? '' : alt} hidden={swapped} onError={() => setBroken(true)} />
      )}
      {wanted && !broken && hover !== 'missing' && (
        <Picture
          src={hoverSrc}
          alt={swapped ? alt : ''}
          hidden={!swapped}
          onLoad={() => setHover('there')}
          onError={() => setHover('missing')}
        />
      )}
    </span>
  );
}

interface PictureProps {
  readonly src: string;
  readonly alt: string;
  readonly hidden: boolean;
  readonly onLoad?: () => void;
  readonly onError: () => void;
}

/** Hidden pictures stay in the page, so that the next swap is immediate. */
function Picture({ src, alt, hidden, onLoad, onError }: PictureProps) {
  if (!isOwnSvg(src))
    return <img className={classes.picture} src={src} alt={alt} hidden={hidden} onLoad={onLoad} onError={onError} />;
  return (
    <Suspense fallback={null}>
      <InlineSvg src={src} alt={alt} hidden={hidden} onLoad={onLoad} onError={onError} />
    </Suspense>
  );
}

/** Returns the default path of the hover picture: the same name with `_1` before the extension. */
export function hoverPath(src: string): string {
  const [, path = src, rest = ''] = /^([^?#]*)(.*)$/s.exec(src) ?? [];
  return path.replace(/(\.[^./]+)?$/, '_1$1') + rest;
}

/** True for an SVG of our own origin, which may be inlined. */
export function isOwnSvg(src: string): boolean {
  const { origin, pathname } = new URL(src, window.location.href);
  return origin === window.location.origin && /\.svg$/i.test(pathname);
}
