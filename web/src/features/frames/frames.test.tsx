// @vitest-environment happy-dom
import type { DeviceState, OwnFrame } from '@framelift/contract';
import { cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { aCamera, type FakeCamera } from '../../testing/camera.ts';
import { aFrame, frameId } from '../../testing/frames.ts';
import { LoggedIn } from '../../testing/member.tsx';
import { answerCalls, refusal, type SentCall, showPage, success, withoutMotion } from '../../testing/page.tsx';
import { successNote } from '../../ui/success-note.ts';
import { FramePage } from './FramePage.tsx';
import { FramesPage } from './FramesPage.tsx';
import { QrCodePage } from './QrCodePage.tsx';

configure({ asyncUtilTimeout: 15_000 });

beforeAll(async () => {
  await Promise.all([import('../../ui/AlertModal.tsx'), import('../../shared/scanner/QrScanner.tsx')]);
}, 60_000);

let camera: FakeCamera;
beforeEach(() => {
  withoutMotion();
  camera = aCamera();
  camera.refusal = Object.assign(new Error('none'), { name: 'NotFoundError' });
});
afterEach(() => {
  successNote.hide();
  vi.restoreAllMocks();
});

const waiting: DeviceState = {
  state: 'waiting',
  deviceId: 'WDJB-MJHT',
  kind: 'Silk, Fire OS',
  screen: { width: 1920, height: 1200, pixelRatio: 1.5 },
  expires_at: '2026-01-01T00:30:00Z',
  frame: null,
};
const WRONG = refusal(404, 'deviceNotFound', 'No frame is waiting with this code.');
const BUSY = refusal(503, 'systemBusy', 'The system is busy.');

type Refusal = ReturnType<typeof refusal>;
type Refuse = (call: SentCall) => Refusal | Promise<Refusal> | undefined;

/** Opens the pages with a simulated server that has these frames; one more waits to be paired. */
async function show(at: string, { frames = [], refuse }: { frames?: OwnFrame[]; refuse?: Refuse } = {}) {
  let present = frames;
  const sent = answerCalls((call) => {
    const refused = refuse?.(call);
    if (refused) return refused;
    const input = (call.input ?? {}) as Record<string, string>;
    if (call.path.startsWith('/frames/')) {
      const [, , id, part] = call.path.split('/');
      return success(part === undefined ? present.find((one) => one.id === id) : []);
    }
    if (call.path.startsWith('/frames')) {
      const more = present.length > 20 && !call.path.includes('page=');
      const next = more ? '/api/frames?page=next' : null;
      const data = more ? present.slice(0, 20) : present.length > 20 ? present.slice(20) : present;
      return { body: { success: true, data, meta: { hasNext: more }, links: { self: call.path, next } } };
    }
    if (call.path === '/addDevice') {
      const made = aFrame(7, { name: input['name'] ?? 'Silk, Fire OS' });
      present = [made, ...present];
      return success(made);
    }
    if (call.path.startsWith('/addDevice?')) {
      return call.path === '/addDevice?deviceId=WDJB-MJHT' ? success(waiting) : WRONG;
    }
    if (call.path === '/renameFrame') {
      present = present.map((one) => (one.id === input['id'] ? { ...one, name: input['name'] ?? '' } : one));
      return success(present.find(({ id }) => id === input['id']));
    }
    if (call.path === '/unpairFrame') {
      present = present.filter(({ id }) => id !== input['id']);
      return success({ id: input['id'] });
    }
    return success({});
  });
  await showPage(
    <LoggedIn>
      <Routes>
        <Route path="/menu/qrcode" element={<QrCodePage />} />
        <Route path="/menu/frameSetting" element={<FramesPage />} />
        <Route path="/menu/frameSetting/:id" element={<FramePage />} />
      </Routes>
    </LoggedIn>,
    at,
  );
  return sent;
}
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }));
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const field = async (label: string) => (await screen.findByLabelText(label)) as HTMLInputElement;
const calls = (sent: SentCall[], path: string) => sent.filter((call) => call.path === path).map(({ input }) => input);
const CODE = 'Code on the frame';

describe('pairing a frame', { timeout: 60_000 }, () => {
  it('begins with its code, typed in whatever way, and asks whether the frame is the member\u2019s [R-2.qr.1] [A85]', async () => {
    const sent = await show('/menu/qrcode');
    await field(CODE);
    type(CODE, ' wdjbmjht');
    await press('Next');
    await screen.findByRole('heading', { name: 'Is this your frame?' });
    for (const fact of ['WDJB-MJHT', 'Silk, Fire OS', '1920 \u00d7 1200']) expect(screen.getByText(fact)).toBeTruthy();
    expect(screen.getByText('Does the frame in front of you show this code?')).toBeTruthy();
    expect(document.activeElement?.textContent).toBe('Is this your frame?');
    // Finding a frame does not pair it, and it is requested only once.
    expect(sent.map(({ path }) => path).filter((path) => path.includes('Device'))).toEqual([
      '/addDevice?deviceId=WDJB-MJHT',
    ]);
  });

  it('ends with its name, after which it is among the frames [R-1.member.11]', async () => {
    const sent = await show('/menu/qrcode');
    await field(CODE);
    type(CODE, 'WDJB-MJHT');
    await press('Next');
    await field('Frame name');
    type('Frame name', 'x'.repeat(31));
    expect((await field('Frame name')).value).toBe('x'.repeat(30));
    type('Frame name', ' Living room ');
    await press('Pair this frame');
    await screen.findByRole('heading', { name: 'Living room' });
    expect(calls(sent, '/addDevice')).toEqual([{ deviceId: 'WDJB-MJHT', name: 'Living room' }]);
    expect(successNote.current()?.title).toBe('Living room is paired');
    expect(screen.getByTestId('address').textContent).toBe(`/menu/frameSetting/${frameId(7)}`);
    await screen.findByRole('heading', { name: 'Nothing on this frame yet' });
    fireEvent.click(screen.getByRole('link', { name: 'My frames' }));
    await screen.findByRole('heading', { name: 'Living room' });
    expect(screen.getByTestId('address').textContent).toBe('/menu/frameSetting');
  });

  it('begins with a scan too', async () => {
    camera.refusal = null;
    camera.shows = ['https://evil.example/?device=WDJB-MJHT', `${window.location.origin}/menu/qrcode?device=WDJB-MJHT`];
    await show('/menu/qrcode');
    await screen.findByRole('heading', { name: 'Is this your frame?' });
    await waitFor(() => expect(camera.on()).toBe(0));
  });

  it('takes no for an answer: the code is refused and nothing paired [A85]', async () => {
    const sent = await show('/menu/qrcode');
    await field(CODE);
    type(CODE, 'WDJB-MJHT');
    await press('Next');
    await press('Not my frame');
    await screen.findByText('The frame was not paired.');
    expect((await field(CODE)).value).toBe('');
    expect(calls(sent, '/refuseDevice')).toEqual([{ deviceId: 'WDJB-MJHT' }]);
    expect(calls(sent, '/addDevice')).toEqual([]);
  });

  it('says at the field what is wrong with a code, and keeps what was typed; which letters never occur is said beforehand [A85] [U22]', async () => {
    const sent = await show('/menu/qrcode');
    await field(CODE);
    expect(screen.getByText(/^Eight letters, .* A, E, I, O, U and Y never occur\.$/)).toBeTruthy();
    type(CODE, 'hello');
    await press('Next');
    await screen.findByText(/^This is not a frame code\./);
    expect(sent.filter(({ path }) => path.includes('addDevice'))).toEqual([]);
    type(CODE, 'BCDF-BCDF');
    await press('Next');
    await screen.findByText('No frame is waiting with this code.');
    expect((await field(CODE)).value).toBe('BCDF-BCDF');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(CODE)));
  });

  it('does not fetch back whoever went on before the answer came', async () => {
    let give = () => {};
    const answer = new Promise<Refusal>((resolve) => {
      give = () => resolve(success(waiting) as Refusal);
    });
    const sent = await show('/menu/qrcode', {
      frames: [aFrame(1)],
      refuse: ({ path }) => (path.startsWith('/addDevice?') ? answer : undefined),
    });
    await field(CODE);
    type(CODE, 'WDJB-MJHT');
    await press('Next');
    await waitFor(() => expect(sent.some(({ path }) => path.startsWith('/addDevice?'))).toBe(true));
    fireEvent.click(screen.getByRole('link', { name: 'My frames' }));
    await press('Rename Frame 1');
    give();
    // The delayed response arrives well before the rename completes.
    type('Frame name', 'Hall');
    await press('Save');
    await screen.findByRole('heading', { name: 'Hall' });
    expect(screen.getByTestId('address').textContent).toBe('/menu/frameSetting');
  });

  it('says how long to wait after too many wrong codes', async () => {
    await show('/menu/qrcode', {
      refuse: ({ path }) =>
        path.startsWith('/addDevice')
          ? { ...refusal(429, 'tooManyRequests', 'Too many tries.'), headers: { 'retry-after': '1740' } }
          : undefined,
    });
    await field(CODE);
    type(CODE, 'BCDF-BCDF');
    await press('Next');
    await screen.findByText('Too many wrong codes. Please try again in 29 min.');
  });

  it('that fails keeps the name, and another code can be entered', async () => {
    let answer: ReturnType<typeof refusal> | undefined = BUSY;
    await show('/menu/qrcode', { refuse: ({ path }) => (path === '/addDevice' ? answer : undefined) });
    await field(CODE);
    type(CODE, 'WDJB-MJHT');
    await press('Next');
    await field('Frame name');
    type('Frame name', 'Kitchen');
    await press('Pair this frame');
    await screen.findByText('The system is busy.');
    expect((await field('Frame name')).value).toBe('Kitchen');
    // Meanwhile the frame shows another code.
    answer = WRONG;
    await press('Pair this frame');
    await screen.findByText('No frame is waiting with this code.');
    await press('Enter another code');
    await field(CODE);
  });

  it('says when the frame is the member\u2019s already', async () => {
    await show('/menu/qrcode', {
      refuse: ({ path }) =>
        path.startsWith('/addDevice?')
          ? (success({ ...waiting, state: 'paired', frame: aFrame(1) }) as ReturnType<typeof refusal>)
          : undefined,
    });
    await field(CODE);
    type(CODE, 'WDJB-MJHT');
    await press('Next');
    await screen.findByRole('heading', { name: 'Frame 1 is already paired with your account.' });
    await press('My frames');
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/menu/frameSetting'));
  });

  it('by a link begins with the question; a code that is none is said at the field, and the link is forgotten', async () => {
    localStorage.setItem('deviceID', 'WDJB-MJHT');
    await show('/menu/qrcode');
    await screen.findByRole('heading', { name: 'Is this your frame?' });
    expect(localStorage.getItem('deviceID')).toBeNull();
    cleanup();
    localStorage.setItem('deviceID', 'frame-7_A');
    await show('/menu/qrcode');
    await screen.findByText(/^This is not a frame code\./);
    expect((await field(CODE)).value).toBe('frame-7_A');
    expect(localStorage.getItem('deviceID')).toBeNull();
  });
});

describe('the frames of a member', { timeout: 60_000 }, () => {
  it('tell name, kind, screen and when they were last seen [R-1.member.11]', async () => {
    const hours = (n: number) => new Date(Date.now() - n * 3_600_000).toISOString();
    await show('/menu/frameSetting', {
      frames: [
        aFrame(1, { online: true, lastSeenAt: hours(0), state: 'upToDate' }),
        aFrame(2, {
          lastSeenAt: hours(5.5),
          state: 'offline',
          kind: '',
          screen: { width: 3840, height: 2160, pixelRatio: 1 },
        }),
        aFrame(3),
      ],
    });
    const cards = within(await screen.findByRole('list')).getAllByRole('listitem');
    expect(cards.map((card) => card.textContent)).toEqual([
      'Frame 1Up to dateChrome, Android \u00b7 1280 \u00d7 800Unpair',
      'Frame 2Offline, last connected 5 hours agoUnknown browser \u00b7 3840 \u00d7 2160Unpair',
      'Frame 3Not connected yetChrome, Android \u00b7 1280 \u00d7 800Unpair',
    ]);
    expect(screen.getByRole('link', { name: 'Pair a frame' }).getAttribute('href')).toBe('/menu/qrcode');
  });

  it('are renamed in place; a name that was refused stays to be mended [R-1.member.11]', async () => {
    let answer: ReturnType<typeof refusal> | undefined = BUSY;
    const sent = await show('/menu/frameSetting', {
      frames: [aFrame(1)],
      refuse: ({ path }) => (path === '/renameFrame' ? answer : undefined),
    });
    await press('Rename Frame 1');
    const name = await field('Frame name');
    expect(name.value).toBe('Frame 1');
    type('Frame name', 'x'.repeat(31));
    expect(name.value).toBe('x'.repeat(30));
    type('Frame name', '  ');
    await press('Save');
    await screen.findByText('Please enter a name for the frame.');
    type('Frame name', 'Hall');
    await press('Save');
    await screen.findByText('The system is busy.');
    expect((await field('Frame name')).value).toBe('Hall');
    answer = undefined;
    await press('Save');
    await screen.findByRole('heading', { name: 'Hall' });
    expect(calls(sent, '/renameFrame').at(-1)).toEqual({ id: frameId(1), name: 'Hall' });
    await press('Rename Hall');
    // While an input method is composing, Escape and Enter have other meanings.
    fireEvent.keyDown(await field('Frame name'), { key: 'Escape', isComposing: true });
    expect(fireEvent.keyDown(await field('Frame name'), { key: 'Enter', isComposing: true })).toBe(false);
    fireEvent.keyDown(await field('Frame name'), { key: 'Escape' });
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Rename Hall'));
  });

  it('are unpaired after it was said what that does [R-1.member.11]', async () => {
    const sent = await show('/menu/frameSetting', { frames: [aFrame(1), aFrame(2)] });
    await press('Unpair Frame 1');
    const dialog = await screen.findByRole('dialog', { name: 'Unpair Frame 1?' });
    within(dialog).getByText(/^The frame disconnects at once and shows a new code\./);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls(sent, '/unpairFrame')).toEqual([]);
    await press('Unpair Frame 1');
    fireEvent.click(
      within(await screen.findByRole('dialog', { name: 'Unpair Frame 1?' })).getByRole('button', { name: 'Unpair' }),
    );
    await screen.findByText('Frame 1 was unpaired.');
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Frame 1' })).toBeNull());
    expect(calls(sent, '/unpairFrame')).toEqual([{ id: frameId(1) }]);
    screen.getByRole('heading', { name: 'Frame 2' });
  });

  it('are none at first: three steps say how to pair one', async () => {
    await show('/menu/frameSetting');
    await screen.findByRole('heading', { name: 'No frames yet' });
    const steps = within(screen.getByRole('list')).getAllByRole('listitem');
    expect(steps).toHaveLength(3);
    expect(steps[0]?.textContent).toBe(`Open ${window.location.host}/frame on the frame.`);
    expect(screen.getAllByRole('link', { name: 'Pair a frame' })).toHaveLength(1);
  });

  it('come a page at a time, and the keyboard goes on at the first new one', async () => {
    await show('/menu/frameSetting', { frames: Array.from({ length: 23 }, (_, n) => aFrame(n + 1)) });
    await press('Show more');
    await screen.findByRole('heading', { name: 'Frame 23' });
    await waitFor(() => expect(document.activeElement?.closest('li')?.textContent).toContain('Frame 21'));
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('say when they cannot be loaded, and load when asked again', async () => {
    let broken = true;
    await show('/menu/frameSetting', {
      frames: [aFrame(1)],
      refuse: ({ path }) =>
        broken && path.startsWith('/frames') ? refusal(500, 'internal', 'Something went wrong.') : undefined,
    });
    await screen.findByText('Your frames could not be loaded.');
    broken = false;
    await press('Try again');
    await screen.findByRole('heading', { name: 'Frame 1' });
  });
});
