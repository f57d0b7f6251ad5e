// @vitest-environment happy-dom
import { LIMITS } from '@framelift/contract';
import { act, configure, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aCamera, type FakeCamera, setMediaDevices } from '../../testing/camera.ts';
import { showPage } from '../../testing/page.tsx';
import { QrScanner } from './QrScanner.tsx';

configure({ asyncUtilTimeout: 15_000 });

let camera: FakeCamera;
beforeEach(() => {
  camera = aCamera();
  // Fake time advances in small steps while the tests run, so that no scan ends just because the machine is busy.
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const found: string[] = [];
const onType = vi.fn();
/** Accepts texts that begin with "ours:". */
async function show(busy = false) {
  found.length = 0;
  return showPage(
    <QrScanner
      accept={(text) => (text.startsWith('ours:') ? text : null)}
      onFound={(text) => found.push(text)}
      busy={busy}
      onType={onType}
    />,
    '/menu/qrcode',
  );
}
const refusedWith = (name: string) => Object.assign(new Error(name), { name });
const ways = () => screen.getAllByRole('button').map((button) => button.textContent);
async function hide(hidden: boolean) {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
  await act(async () => {
    document.dispatchEvent(new Event('visibilitychange'));
  });
}
const SCANNING = 'Hold the QR code inside the frame.';

describe('the camera', { timeout: 60_000 }, () => {
  it('is the one at the back, plays in the page without sound, and is off once a code is found [A96]', async () => {
    camera.shows = ['', 'ours:1', 'ours:2'];
    await show(true);
    await screen.findByText('Code read.');
    expect(found).toEqual(['ours:1']);
    expect(camera.asked).toEqual([{ audio: false, video: expect.objectContaining({ facingMode: 'environment' }) }]);
    const video = document.querySelector('video');
    expect(video?.playsInline ?? video?.hasAttribute('playsinline')).toBe(true);
    expect(video?.muted).toBe(true);
    await waitFor(() => expect(camera.on()).toBe(0));
  });

  it('passes over what means nothing here, and opens none of it', async () => {
    camera.shows = ['https://evil.example/', 'javascript:alert(1)', 'ours:3'];
    await show(true);
    await screen.findByText('Code read.');
    expect(found).toEqual(['ours:3']);
    expect(window.location.pathname).toBe('/menu/qrcode');
  });

  it('stops after 5 s without a code: the sentence says so and what can be done now [R-9.timing.7] [A96]', async () => {
    expect(LIMITS.qr.timeoutMs).toBe(5000);
    await show();
    await screen.findByText(SCANNING);
    expect(camera.on()).toBe(1);
    await act(() => vi.advanceTimersByTimeAsync(LIMITS.qr.timeoutMs));
    await screen.findByText(/^No code found\./);
    expect(ways()).toEqual(['Try again', 'Type the code', 'Choose a photo of the code']);
    await waitFor(() => expect(camera.on()).toBe(0));
    expect(found).toEqual([]);

    fireEvent.click(screen.getByRole('button', { name: 'Type the code' }));
    expect(onType).toHaveBeenCalledOnce();
    camera.shows = ['ours:late'];
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(found).toEqual(['ours:late']));
    expect(camera.asked).toHaveLength(2);
  });

  it('says after that time when the only code was one of something else', async () => {
    camera.shows = ['https://evil.example/'];
    await show();
    await screen.findByText(SCANNING);
    await waitFor(() => expect(camera.shows).toEqual([]));
    await act(() => vi.advanceTimersByTimeAsync(LIMITS.qr.timeoutMs));
    await screen.findByText(/^This is not the code of a frame\./);
  });

  it('is let go when the page is hidden, comes back with it, and goes when the page is left [A96]', async () => {
    const { unmount } = await show();
    await screen.findByText(SCANNING);
    await hide(true);
    await waitFor(() => expect(camera.on()).toBe(0));
    await hide(false);
    await screen.findByText(SCANNING);
    await waitFor(() => expect(camera.asked).toHaveLength(2));
    await waitFor(() => expect(camera.on()).toBe(1));
    unmount();
    await waitFor(() => expect(camera.on()).toBe(0));
  });

  it('that comes only when the page was left is let go at once', async () => {
    let give = () => {};
    const { getUserMedia } = navigator.mediaDevices;
    vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockImplementation(async (wanted) => {
      await new Promise<void>((resolve) => {
        give = resolve;
      });
      return getUserMedia(wanted);
    });
    const { unmount } = await show();
    await waitFor(() => expect(navigator.mediaDevices.getUserMedia).toHaveBeenCalledOnce());
    unmount();
    give();
    await waitFor(() => expect(camera.asked).toHaveLength(1));
    await waitFor(() => expect(camera.on()).toBe(0));
  });

  it.each([
    ['NotAllowedError', /^The camera is blocked\./],
    ['NotFoundError', /^This device has no camera\./],
    ['NotReadableError', /^The camera could not be used\./],
  ])('that answers %s has its own sentence and the same ways on [A96]', async (name, sentence) => {
    camera.refusal = refusedWith(name);
    await show();
    await screen.findByText(sentence);
    expect(ways()).toEqual(['Try again', 'Type the code', 'Choose a photo of the code']);
    camera.refusal = null;
    camera.shows = ['ours:4'];
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(found).toEqual(['ours:4']));
  });

  it('is not there on a page without https, which is said [A96]', async () => {
    vi.stubGlobal('isSecureContext', false);
    setMediaDevices(undefined);
    await show();
    await screen.findByText(/^Browsers allow the camera on secure pages \(https\) only\./);
    expect(ways()).toEqual(['Try again', 'Type the code', 'Choose a photo of the code']);
  });
});

describe('a photo', { timeout: 60_000 }, () => {
  const choose = (text: string) =>
    fireEvent.change(document.querySelector('input[type="file"]') as HTMLInputElement, {
      target: { files: [new File([text], 'code.jpg', { type: 'image/jpeg' })] },
    });

  it('is searched where there is no camera [A96]', async () => {
    camera.refusal = refusedWith('NotFoundError');
    await show();
    await screen.findByText(/^This device has no camera\./);
    choose('ours:photo');
    await waitFor(() => expect(found).toEqual(['ours:photo']));
  });

  it.each([
    ['', /^No code was found in this photo\./],
    ['https://evil.example/', /^The code in this photo is not the code of a frame\./],
    ['broken', /^This photo could not be opened\./],
  ])('that shows %j says what is wrong', async (text, sentence) => {
    camera.refusal = refusedWith('NotFoundError');
    await show();
    await screen.findByText(/^This device has no camera\./);
    choose(text);
    await screen.findByText(sentence);
    expect(found).toEqual([]);
  });
});
