import IconPhotoOff from '@tabler/icons-react/icons/IconPhotoOff';
import { Suspense, useEffect, useRef, useState } from 'react';
import classes from './ImageWidget.module.css';
import { lazyNamed } from './lazy-named.ts';

const InlineSvg = lazyNamed(() => import('./InlineSvg.tsx'), 'InlineSvg');

interface ImageWidgetProps {
  readonly src: string;
  /** Empty for a picture that only decorates what is said beside it. */
  readonly alt: string;
  /** Shown on hover, focus or touch; the same name with `_1` unless given. Where there is no such file, nothing swaps. */
  readonly hoverSrc?: string;
  readonly className?: string | undefined;
}

/**
 * A picture that becomes another one under the pointer, under a finger, or while the link or button around it has the
 * focus. Our own SVGs become part of the page and take the colour of the text.
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
    // Pointer events tell of touches too: a finger enters when it is put down and leaves when it is lifted.
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

/** Hidden ones stay in the page, so that the next swap is immediate. */
function Picture({ src, alt, hidden, onLoad, onError }: PictureProps) {
  if (!isOwnSvg(src))
    return <img className={classes.picture} src={src} alt={alt} hidden={hidden} onLoad={onLoad} onError={onError} />;
  return (
    <Suspense fallback={null}>
      <InlineSvg src={src} alt={alt} hidden={hidden} onLoad={onLoad} onError={onError} />
    </Suspense>
  );
}

/** The picture shown on hover, unless another is named: of the same name with `_1` before the extension. */
export function hoverPath(src: string): string {
  const [, path = src, rest = ''] = /^([^?#]*)(.*)$/s.exec(src) ?? [];
  return path.replace(/(\.[^./]+)?$/, '_1$1') + rest;
}

/** Whether a path is one of our own vector pictures, which may be put into the page itself. */
export function isOwnSvg(src: string): boolean {
  const { origin, pathname } = new URL(src, window.location.href);
  return origin === window.location.origin && /\.svg$/i.test(pathname);
}
