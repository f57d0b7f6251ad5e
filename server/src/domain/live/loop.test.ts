import { describe, expect, it } from 'vitest';
import { loopPlaylist, readRecording } from './loop.ts';
import { rewritePlaylist } from './rewrite.ts';

const recorded = (...seconds: number[]) =>
  readRecording(['#EXTM3U', ...seconds.map((duration, at) => `#EXTINF:${duration},\ns${at}.ts`)].join('\n'));

/** Returns number, name and time of each segment, with a bar before those that begin a new loop. */
function shown(text: string): string[] {
  let sequence = Number(/MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1]);
  const found = text.matchAll(/(DISCONTINUITY\n#EXT-X-)?PROGRAM-DATE-TIME:(.*)\n#EXTINF:.*\n(.*)/g);
  return [...found].map(([, begins, time = '', name]) => {
    sequence += 1;
    return `${begins ? '| ' : ''}${sequence - 1} ${name} ${Date.parse(time) / 1000}`;
  });
}

describe('a recording that is played in a loop', () => {
  /** Seen at this second since 1970, by whoever watches since another one. */
  const at = (recording: ReturnType<typeof recorded>, seconds: number, since = 0) =>
    loopPlaylist(recording, { now: new Date(seconds * 1000), since: new Date(since * 1000) }, (name) => name);

  it('goes on without a gap in numbers and times, and marks where it begins again', () => {
    const twelve = recorded(...Array<number>(12).fill(2));
    expect(shown(at(twelve, 28.5))).toEqual([
      ...['28 s4.ts 8', '29 s5.ts 10', '30 s6.ts 12', '31 s7.ts 14', '32 s8.ts 16', '33 s9.ts 18', '34 s10.ts 20'],
      ...['35 s11.ts 22', '| 36 s0.ts 24', '37 s1.ts 26'],
    ]);
    expect(at(twelve, 28.5)).toContain('#EXT-X-DISCONTINUITY-SEQUENCE:2\n');
    // The mark of the first segment left with the one before it.
    expect(at(twelve, 46)).toContain('#EXT-X-DISCONTINUITY-SEQUENCE:3\n');
  });

  it('numbers its rounds from the beginning of the view, however many there were before', () => {
    const two = recorded(2, 2);
    // Begun at any moment of a round, and looked at then and a round later.
    for (const since of [1_800_000_000, 1_800_000_001.9, 1_800_000_002, 1_800_000_003.9]) {
      for (const now of [since, since + 4]) {
        const text = at(two, now, since);
        const numbers = /MEDIA-SEQUENCE:(.*)\n.*DISCONTINUITY-SEQUENCE:(.*)/.exec(text)?.slice(1).map(Number);
        for (const number of numbers ?? [-1]) expect([number >= 0, number < 10]).toEqual([true, true]);
      }
    }
  });

  it('keeps segments of any length and a loop shorter than the window', () => {
    expect(shown(at(recorded(2, 3.5, 0.5), 60.1))).toEqual(['| 33 s0.ts 54', '34 s1.ts 56', '35 s2.ts 59.5']);
  });

  it.each(['../x.ts', '/etc/passwd', 'https://a.example/x.ts', 'a/b.ts', '.x.ts'])('names no file like %s', (name) => {
    expect(() => readRecording(`#EXTM3U\n#EXTINF:2,\n${name}`)).toThrow(/no file beside it/);
  });

  it('is no page, no empty list and no segment without a duration', () => {
    for (const text of ['<html>', '#EXTM3U', '#EXTM3U\ns0.ts']) expect(() => readRecording(text)).toThrow();
  });
});

describe('a playlist of another server', () => {
  it.each(['data:text/plain,x', 'javascript:run()', 'file:///etc/passwd'])('leads to no address like %s', (uri) => {
    const link = () => '/ours';
    expect(() => rewritePlaylist(`#EXTM3U\n#EXTINF:2,\n${uri}`, 'https://a.example/', link)).toThrow(/none of http/);
    expect(rewritePlaylist(`#EXTM3U\n#EXT-X-KEY:METHOD=X,URI="${uri}"`, 'https://a.example/', link)).toBe('#EXTM3U\n');
  });
});
