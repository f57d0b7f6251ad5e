/** A finished recording in our store. */
export interface Recording {
  /** Name of its initialisation; null for a transport stream. */
  readonly map: string | null;
  readonly segments: readonly { readonly name: string; readonly ms: number }[];
}

/** Segments in a live playlist. */
const WINDOW = 10;
/** A file beside its playlist: no folders, nothing hidden. */
const NAME = /^[a-z0-9_-]{1,64}\.[a-z0-9]{2,4}$/;

/** Reads the playlist of a recording. @throws Error if it is none, or names a file outside of its folder */
export function readRecording(text: string): Recording {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (lines[0] !== '#EXTM3U') throw new Error('This is no HLS playlist');
  let map: string | null = null;
  let ms = 0;
  const segments: { name: string; ms: number }[] = [];
  for (const line of lines) {
    const [, duration] = /^#EXTINF:([\d.]+)/.exec(line) ?? [];
    const [, uri] = /^#EXT-X-MAP:.*URI="([^"]*)"/.exec(line) ?? [];
    if (duration !== undefined) ms = Math.round(Number(duration) * 1000);
    if (uri !== undefined) map = checked(uri);
    if (line === '' || line.startsWith('#')) continue;
    if (!(ms > 0)) throw new Error('A segment of the recording has no duration');
    segments.push({ name: checked(line), ms });
  }
  if (segments.length === 0) throw new Error('The recording is empty');
  return { map, segments };
}

function checked(name: string): string {
  if (!NAME.test(name)) throw new Error(`The recording names ${name}, which is no file beside it`);
  return name;
}

/**
 * Returns the playlist of a recording that is played in an endless loop, as a live broadcast: the segments that ended last
 * before `now`. Everything follows from the clock, so all processes answer the same, and recordings of equal segments stay
 * together, each loop beginning at a multiple of its duration since 1970.
 * @param since when the view began, from which segments and rounds are numbered. hls.js looks through all the numbers of
 *   discontinuities from 0 on with every playlist: those since 1970 took it a second each.
 * @param link returns the address of a file, which stands in the playlist until this time in milliseconds at the latest: the
 *   same in every reading
 */
export function loopPlaylist(
  { map, segments }: Recording,
  { now, since }: { readonly now: Date; readonly since: Date },
  link: (name: string, shownUntil: number) => string,
): string {
  const count = Math.min(WINDOW, segments.length);
  const targetSeconds = Math.ceil(Math.max(...segments.map(({ ms }) => ms)) / 1000);
  /** How long a segment stands in the playlist after its end, at most. */
  const shownMs = count * targetSeconds * 1000;
  const starts: number[] = [];
  let total = 0;
  for (const { ms } of segments) {
    starts.push(total);
    total += ms;
  }
  const roundAt = (time: Date) => Math.floor(time.getTime() / total);
  // The first playlist of a view may begin in the round before, and after the mark of that one.
  const firstRound = roundAt(since) - 2;
  const loop = roundAt(now) - firstRound;
  const position = now.getTime() % total;
  const beginOf = (turn: number) => (firstRound + turn) * total;
  const running = starts.findLastIndex((start) => start <= position);
  const first = loop * segments.length + running - count;
  const shown = Array.from({ length: count }, (_, at) => {
    const sequence = first + at;
    const index = sequence % segments.length;
    const turn = Math.floor(sequence / segments.length);
    const { name, ms } = segments[index] ?? { name: '', ms: 0 };
    return { name, ms, isFirst: index === 0, turn, startsAt: beginOf(turn) + (starts[index] ?? 0) };
  });
  const [begin] = shown;
  if (!begin) throw new Error('The recording is empty');
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-TARGETDURATION:${targetSeconds}`,
    `#EXT-X-MEDIA-SEQUENCE:${first}`,
    // Every loop begins with a discontinuity, because its time stamps start again.
    `#EXT-X-DISCONTINUITY-SEQUENCE:${begin.isFirst ? begin.turn - 1 : begin.turn}`,
  ];
  // One address a round: players load what has another one again.
  const initialisation = (turn: number) =>
    map === null ? [] : [`#EXT-X-MAP:URI="${link(map, beginOf(turn + 1) + shownMs)}"`];
  if (!begin.isFirst) lines.push(...initialisation(begin.turn));
  for (const { name, ms, isFirst, turn, startsAt } of shown) {
    if (isFirst) lines.push('#EXT-X-DISCONTINUITY', ...initialisation(turn));
    lines.push(
      `#EXT-X-PROGRAM-DATE-TIME:${new Date(startsAt).toISOString()}`,
      `#EXTINF:${(ms / 1000).toFixed(3)},`,
      link(name, startsAt + ms + shownMs),
    );
  }
  return `${lines.join('\n')}\n`;
}
