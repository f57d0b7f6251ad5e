import { useQuery } from '@tanstack/react-query';
import DOMPurify from 'dompurify';
import { useEffect } from 'react';
import classes from './ImageWidget.module.css';

/**
 * Drawings only. What could run, load, link or restyle the page is taken out. So are names, for two pictures with the
 * same ones would disturb each other, and titles, which would show as tooltips in the language of the file.
 */
const DRAWING = {
  USE_PROFILES: { svg: true },
  FORBID_TAGS: ['style', 'script', 'a', 'image', 'use', 'foreignObject', 'animate', 'set', 'title'],
  KEEP_CONTENT: false,
  FORBID_ATTR: ['style', 'class', 'id', 'href', 'xlink:href'],
};

/** @throws when there is no such file, or when it is not an SVG */
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

/** An SVG fetched as text and made part of the page, where the colour of the text reaches it. */
export function InlineSvg({ src, alt, hidden, onLoad, onError }: InlineSvgProps) {
  const { data, isError } = useQuery({
    queryKey: ['svg', src],
    queryFn: ({ signal }) => fetchDrawing(src, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { quiet: true },
  });
  // Told once for each outcome, whatever functions are given.
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
