import { describe, expect, it, vi } from 'vitest';
import { isDone, type ManyEvent, type ManyFlow, manyFlow, noItems, progressOf } from './many-flow.ts';
import { takeFiles } from './take-files.ts';

const JPEG = new Uint8Array([0xff, 0xd8, 0xff, 0xe0]);
const file = (name: string, bytes = 100) => new File([JPEG, new Uint8Array(bytes - 4)], name);
const after = (...events: readonly ManyEvent[]) => events.reduce(manyFlow, noItems);
const ticketOf = (arrived: boolean) => ({
  mediaId: 'm',
  parts: [{ url: '', headers: {}, size: 100, arrived }],
  expiresAt: '',
  arrived: false,
});
const add = (count: number): ManyEvent => ({
  type: 'add',
  files: {
    taken: Array.from({ length: count }, (_, i) => ({ file: file(`${i}.jpg`), kind: 'picture' as const })),
    refused: [],
  },
});
/** Uploads one item, with the reports that its upload makes. */
function send(flow: ManyFlow, key: number, end: 'done' | 'failed'): ManyFlow {
  const sending = manyFlow(flow, { type: 'send', key });
  const { attempt } = sending;
  const reports: ManyEvent[] = [
    { type: 'report', key, report: { type: 'ticket', attempt, ticket: ticketOf(false) } },
    {
      type: 'report',
      key,
      report:
        end === 'done'
          ? { type: 'done', attempt, mediaId: `m${key}` }
          : {
              type: 'failed',
              attempt,
              failure: { title: null, message: 'No room', next: 'retry' },
              ticket: ticketOf(true),
            },
    },
  ];
  return reports.reduce(manyFlow, sending);
}

describe('several files', () => {
  it('keeps what can be uploaded, and names each other one with its reason', async () => {
    const empty = new File([], 'empty.jpg');
    const found = await takeFiles([file('a.jpg'), empty, file('b.jpg'), new File(['x'], 'notes.txt')], {
      accepted: 'all',
      allowsVideos: false,
    });
    expect(found.taken.map(({ file: { name } }) => name)).toEqual(['a.jpg', 'b.jpg']);
    expect(found.refused).toEqual([
      { name: 'empty.jpg', code: 'fileEmpty' },
      { name: 'notes.txt', code: 'invalidExtension' },
    ]);
    const many = Array.from({ length: 51 }, (_, i) => file(`${i}.jpg`));
    const slice = vi.spyOn(many[50] as File, 'slice');
    expect((await takeFiles(many, { accepted: 'all', allowsVideos: false })).refused).toEqual([
      { name: '50.jpg', code: 'tooManyFiles' },
    ]);
    expect(slice).not.toHaveBeenCalled();
  });

  it('asks once whether animations stay moving, and only those who may convert videos [T11]', async () => {
    const frame = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];
    const gif = (frames: number) => {
      const head = [...new TextEncoder().encode('GIF89a'), 1, 0, 1, 0, 0, 0, 0];
      const bytes = [...head, ...Array(frames).fill(frame).flat(), 0x3b];
      return new File([Uint8Array.from(bytes)], `${frames}.gif`, { type: 'image/gif' });
    };
    const files = [gif(1), gif(2), file('a.jpg'), gif(3)];
    const taking = async (allowsVideos: boolean, answer: boolean | null, kind?: 'picture' | 'video') => {
      let asked = 0;
      const asksIfMoving = async () => {
        asked++;
        return answer;
      };
      const more = kind ? { kind } : {};
      const { taken, refused } = await takeFiles(files, { accepted: 'all', allowsVideos, asksIfMoving, ...more });
      return { asked, kinds: taken.map((one) => one.kind), refused };
    };
    const none = { refused: [] };
    const [picture, video] = ['picture', 'video'];
    expect(await taking(true, true)).toEqual({ asked: 1, kinds: [picture, video, picture, video], ...none });
    expect(await taking(true, false, 'picture')).toEqual({ asked: 1, kinds: Array(4).fill(picture), ...none });
    expect(await taking(false, true)).toEqual({ asked: 0, kinds: Array(4).fill(picture), ...none });
    expect(await taking(true, null)).toEqual({ asked: 1, kinds: [], ...none });
    const asVideos = await taking(true, false, 'video');
    expect(asVideos).toMatchObject({ asked: 0, kinds: [video, video] });
    expect(asVideos.refused).toEqual([
      { name: '1.gif', code: 'pictureAsFilm' },
      { name: 'a.jpg', code: 'pictureAsFilm' },
    ]);
  });

  it('goes on after one that failed, ends when none is left, and tries only the failed one again with its parts', () => {
    let flow = after(add(3), { type: 'start' });
    flow = send(flow, 0, 'done');
    flow = send(flow, 1, 'failed');
    expect(flow.running).toBe(true);
    flow = send(flow, 2, 'done');
    expect(flow).toMatchObject({ running: false });
    expect(flow.items.map(isDone)).toEqual([true, false, true]);
    // Two are there, and of the third all parts have arrived.
    expect(progressOf(flow)).toBe(1);
    const again = manyFlow(flow, { type: 'goOn' });
    expect(again).toMatchObject({
      running: true,
      items: [{}, { sending: { phase: 'idle' }, ticket: ticketOf(true) }, {}],
    });
  });

  it('cancels one without the others, and drops the reports of the cancelled one', () => {
    const sending = manyFlow(after(add(2), { type: 'start' }), { type: 'send', key: 0 });
    const { attempt } = sending;
    const cancelled = manyFlow(sending, { type: 'remove', key: 0 });
    expect(cancelled).toMatchObject({ running: true, items: [{ key: 1 }] });
    expect(cancelled.attempt).toBeGreaterThan(attempt);
    const late = { type: 'done', attempt, mediaId: 'm' } as const;
    expect(manyFlow(cancelled, { type: 'report', key: 1, report: late })).toBe(cancelled);
  });

  it('cancels all, and keeps those that have arrived', () => {
    const half = send(after(add(3), { type: 'start' }), 0, 'done');
    const stopped = manyFlow(manyFlow(half, { type: 'send', key: 1 }), { type: 'stop' });
    expect(stopped).toMatchObject({ running: false });
    expect(stopped.items.map(({ sending: { phase } }) => phase)).toEqual(['done', 'idle', 'idle']);
    expect(progressOf(stopped)).toBeCloseTo(1 / 3);
  });

  it('does not begin with nothing to upload, so that files can still be added and cropped', () => {
    const early = after({ type: 'start' }, add(1), { type: 'edit', key: 0 });
    expect(early).toMatchObject({ running: false, editing: 0 });
    const done = send(after(add(1), { type: 'start' }), 0, 'done');
    expect(manyFlow(done, { type: 'goOn' }).running).toBe(false);
    const last = manyFlow(after(add(1), { type: 'start' }), { type: 'send', key: 0 });
    expect(manyFlow(last, { type: 'goOn' }).running).toBe(true);
  });

  it('names a file that cannot be read any more', () => {
    const flow = after(add(2), { type: 'unreadable', key: 0 });
    expect(flow.items.map(({ key }) => key)).toEqual([1]);
    expect(flow.refused).toEqual([{ name: '0.jpg', code: 'readerError' }]);
  });
});
