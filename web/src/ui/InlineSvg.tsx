import { useQuery } from '@tanstack/react-query';
import DOMPurify from 'dompurify';
import { useEffect } from 'react';
import classes from './ImageWidget.module.css';

/**
 * Sanitiser options for drawings. Everything that could run, load, link or restyle the page is removed; also ids, which
 * would collide between pictures, and titles, which would appear as tooltips in the language of the file.
 */
const DRAWING = {
  USE_PROFILES: { svg: true },
  FORBID_TAGS: ['style', 'script', 'a', 'image', 'use', 'foreignObject', 'animate', 'set', 'title'],
  KEEP_CONTENT: false,
  FORBID_ATTR: ['style', 'class', 'id', 'href', 'xlink:href'],
};

/** @throws when the file does not exist or is not an SVG */
async function fetchDrawing(src: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(src, { signal });
  const text = response.ok ? DOMPurify.sanitize(await response.text(), DRAWING).trim() : '';
  if (!text.startsWith('<svg')) throw new Error(`There is no SVG at ${src}`);
  return text;
}

interface InlineSvgProps {
  readonly src: string;
  readonly alt: string;
  readonly hidden: boolean;
  readonly onLoad?: (() => void) | undefined;
  readonly onError: () => void;
}

/** Inlines an SVG, so that it takes the text colour. */
export function InlineSvg({ src, alt, hidden, onLoad, onError }: InlineSvgProps) {
  const { data, isError } = useQuery({
    queryKey: ['svg', src],
    queryFn: ({ signal }) => fetchDrawing(src, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { quiet: true },
  });
  // Called once for each outcome, even if the callbacks change.
  useEffect(() => {
    if (isError) onError();
    else if (data !== undefined) onLoad?.();
  }, [data, isError]);

  return (
    <span
      className={classes.drawing}
      hidden={hidden}
      {...(alt ? { role: 'img', 'aria-label': alt } : { 'aria-hidden': true })}
      // Sanitised above.
      dangerouslySetInnerHTML={{ __html: data ?? '' }}
    />
  );
}
