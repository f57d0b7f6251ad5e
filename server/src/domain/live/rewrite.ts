/** What a playlist leads to: another playlist, or bytes. */
export type LinkKind = 'playlist' | 'segment';

/**
 * The tags that are passed on. All others are left out, such as those of low latency, whose questions this server does not
 * answer, and those that lead players to other servers.
 */
const KEPT = new Set([
  ...['EXTM3U', 'EXT-X-VERSION', 'EXT-X-INDEPENDENT-SEGMENTS', 'EXT-X-START', 'EXT-X-TARGETDURATION'],
  ...['EXT-X-MEDIA-SEQUENCE', 'EXT-X-DISCONTINUITY-SEQUENCE', 'EXT-X-ENDLIST', 'EXT-X-PLAYLIST-TYPE'],
  ...['EXTINF', 'EXT-X-BYTERANGE', 'EXT-X-DISCONTINUITY', 'EXT-X-PROGRAM-DATE-TIME', 'EXT-X-GAP', 'EXT-X-BITRATE'],
  ...['EXT-X-KEY', 'EXT-X-MAP', 'EXT-X-MEDIA', 'EXT-X-STREAM-INF', 'EXT-X-I-FRAMES-ONLY'],
]);
const PLAYLIST_TAGS = new Set(['EXT-X-MEDIA']);
const URI = /\bURI="([^"]*)"/;

/** Returns the name of the tag in a line; null for a comment or an address. */
function tagOf(line: string): string | null {
  return /^#(EXT[A-Z0-9-]*)/.exec(line)?.[1] ?? null;
}

/**
 * Returns a playlist with every address replaced by a link of ours. Tags with an address of another kind than http, such as
 * those of foreign key systems, are left out.
 * @param base where the playlist was found
 * @throws Error if it is none
 */
export function rewritePlaylist(text: string, base: string, link: (kind: LinkKind, url: string) => string): string {
  const lines = linesOf(text);
  const written: string[] = [];
  let next: LinkKind = 'segment';
  for (const line of lines) {
    const tag = tagOf(line);
    if (tag === null) {
      if (line.startsWith('#')) continue;
      const url = addressOf(line, base);
      if (url === null) throw new Error('The playlist names an address that is none of http');
      written.push(link(next, url));
      next = 'segment';
      continue;
    }
    if (!KEPT.has(tag)) continue;
    if (tag === 'EXT-X-STREAM-INF') next = 'playlist';
    const [, uri] = URI.exec(line) ?? [];
    if (uri === undefined) {
      written.push(line);
      continue;
    }
    const url = addressOf(uri, base);
    if (url === null) continue;
    const replaced = link(PLAYLIST_TAGS.has(tag) ? 'playlist' : 'segment', url);
    written.push(line.replace(URI, () => `URI="${replaced}"`));
  }
  return `${written.join('\n')}\n`;
}

export interface PlaylistFacts {
  /** Addresses of its variants; none in a playlist of segments. */
  readonly variants: readonly string[];
  readonly hasTime: boolean;
  readonly segmentSeconds: number;
}

/** Returns what a playlist says about itself. @throws Error if it is none */
export function readFacts(text: string, base: string): PlaylistFacts {
  const lines = linesOf(text);
  const variants = lines.flatMap((line, at) => {
    if (tagOf(line) !== 'EXT-X-STREAM-INF') return [];
    const next = lines.slice(at + 1).find((other) => !other.startsWith('#'));
    return (next && addressOf(next, base)) ?? [];
  });
  const target = lines.find((line) => tagOf(line) === 'EXT-X-TARGETDURATION');
  return {
    variants,
    hasTime: lines.some((line) => tagOf(line) === 'EXT-X-PROGRAM-DATE-TIME'),
    segmentSeconds: Number(/:(\d+)/.exec(target ?? '')?.[1] ?? 0),
  };
}

function linesOf(text: string): string[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
  if (lines[0] !== '#EXTM3U') throw new Error('This is no HLS playlist');
  return lines;
}

function addressOf(uri: string, base: string): string | null {
  if (!URL.canParse(uri, base)) return null;
  const url = new URL(uri, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
}
