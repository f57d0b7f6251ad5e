// @vitest-environment happy-dom
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DEVICES } from '@framelift/engine/formats';
import { errorText, textsIn } from '@framelift/texts/node';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { act, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { mediaListQuery } from '../../api/media.ts';
import { beginSession } from '../../api/session.ts';
import { i18next } from '../../i18n/index.ts';
import { aConfig } from '../../testing/config.ts';
import { aFrame } from '../../testing/frames.ts';
import {
  answerCalls,
  passUntil,
  aMember as person,
  refusal,
  type SentCall,
  showPage,
  success,
  withoutMotion,
} from '../../testing/page.tsx';
import { AlertHost } from '../../ui/AlertHost.tsx';
import { alerts } from '../../ui/alerts.ts';
import { NO_EDIT } from '../../ui/crop/picture-edit.ts';
import { keepSelection } from './kept-selection.ts';
import { UploadDialog } from './UploadDialog.tsx';

// The dialog's code and texts are loaded when it opens, which may be slow on a busy machine.
configure({ asyncUtilTimeout: 8000 });

type Person = typeof person;

const devices = [
  { id: 1, name: 'Looking Glass Portrait', ratio: '3,4', format: 'quilt', quilt: { columns: 8, rows: 6 } },
  { id: 8, name: '3D TV', ratio: '16,9', format: 'hsbs', quilt: null },
].map((device) => ({ note: '', extendResolution: '2048,1536', is_actived: true, disparityBudget: 12, ...device }));
const effects = [0, 20, 40, 60, 80, 100].map((percent, id) => ({
  id,
  effect: `${percent}%`,
  device_type_id: id === 0 ? null : 1,
  media_type: id === 0 ? null : 1,
  is_activated: true,
  vip_required: false,
}));

const NO_START = {};

/** The content of the member, below the dialog. */
function Content() {
  useInfiniteQuery(mediaListQuery());
  return null;
}

/** A page with the dialog and the button that opens it. */
function Page({ user }: { user: Person | null }) {
  const queries = useQueryClient();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <button
        type="button"
        onClick={() => {
          if (user) beginSession(queries, user);
          setOpened(true);
        }}
      >
        open
      </button>
      {opened && user && <Content />}
      {opened && <UploadDialog opened start={NO_START} onClose={() => setOpened(false)} />}
      <AlertHost />
    </>
  );
}

/** Preloaded, so that no test waits for the dialog's lazy chunks. */
beforeAll(async () => {
  await Promise.all([import('./CropStep.tsx'), import('../../ui/AlertModal.tsx')]);
}, 60_000);

let sent: SentCall[];
let deviceList: readonly object[];
let frameList: readonly object[];
const listOf = (data: readonly object[]) => ({
  body: { success: true, data, meta: { hasNext: false }, links: { self: '', next: null } },
});
beforeEach(() => {
  deviceList = devices;
  frameList = [];
  sent = answerCalls(({ path }) => {
    if (path === '/getDeviceType') return success(deviceList);
    if (path.startsWith('/effect_params')) return listOf(effects);
    if (path.startsWith('/frames')) return listOf(frameList);
    if (path === '/config') return success(aConfig);
    if (path === '/videos') return listOf([]);
    return refusal(403, 'featureNotAvailableYet', errorText('featureNotAvailableYet', 'en'));
  });
});

// Alerts are queued; one left over from a test would appear before those of the next.
afterEach(() => {
  localStorage.clear();
  for (let alert = alerts.current(); alert; alert = alerts.current()) alert.answer({ button: null, input: '' });
});

async function openAs(user: Partial<Person> | null = {}, name = 'Convert a photo') {
  const view = await showPage(<Page user={user && { ...person, ...user }} />);
  await i18next.loadNamespaces(['upload', 'depth']);
  fireEvent.click(screen.getByRole('button', { name: 'open' }));
  const dialog = await screen.findByRole('dialog', { name });
  const choose = (file: File | readonly File[], index = 0) => {
    const input = dialog.querySelectorAll<HTMLInputElement>('input[type=file]')[index];
    if (!input) throw new Error('There is no such file chooser');
    fireEvent.change(input, { target: { files: [file].flat() } });
  };
  return { ...view, dialog, choose };
}
const NO_FILES = { dataTransfer: { files: [] } };
const JSON_ANSWER = { headers: { 'content-type': 'application/json' } };
const file = (name: string, bytes = 'bytes') => new File([bytes], name);
const toldInAlert = (text: string) => waitFor(() => expect(screen.getAllByText(text).length).toBeGreaterThan(0));

describe('who may choose what', () => {
  it('[R-2.upload-dialog.3] [R-5.upload.3] shows videos to members with a VIP mark, and refuses them to others', async () => {
    const { dialog } = await openAs();
    const button = within(dialog).getByRole('button', { name: /Choose video/ });
    expect(button.textContent).toContain('VIP');
    const chosen = vi.spyOn(HTMLInputElement.prototype, 'click');
    fireEvent.click(button);
    expect(chosen).not.toHaveBeenCalled();
    await toldInAlert(errorText('not_VIP', 'en'));
    chosen.mockRestore();
    fireEvent.click(await screen.findByRole('button', { name: 'See the plans' }));
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/subscribe'));
  });

  it('tells whose plan allows videos how long they may be, and opens their files', async () => {
    const { dialog } = await openAs({ VIP: false, videoSeconds: 1800 });
    expect(within(dialog).getByText(/of up to 30 min and 50 MB/)).toBeTruthy();
    const chosen = vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(() => {});
    fireEvent.click(within(dialog).getByRole('button', { name: /Choose video/ }));
    expect(chosen).toHaveBeenCalledOnce();
    chosen.mockRestore();
  });

  it('hides videos from guests', async () => {
    const { dialog } = await openAs({ isGuest: true });
    expect(within(dialog).getByRole('button', { name: 'Choose photo' })).toBeTruthy();
    expect(within(dialog).queryByRole('button', { name: /Choose video/ })).toBeNull();
  });

  it('[R-4.upload-steps.3] leads a VIP from the crop of a video to the video, its strength and the upload, also where the browser cannot play it [A41] [R-3.upload-payload.2]', async () => {
    // This environment has no codecs: it behaves like a browser that cannot play the video.
    const playing = vi.spyOn(HTMLMediaElement.prototype, 'src', 'set').mockImplementation(function (
      this: HTMLMediaElement,
    ) {
      queueMicrotask(() => this.dispatchEvent(new Event('error')));
    });
    const { dialog, choose } = await openAs({ VIP: true, videoSeconds: 1200 });
    choose(file('video.mp4'), 2);
    await within(dialog).findByText(/its middle is used/);
    expect(within(dialog).queryByRole('slider', { name: '3D strength' })).toBeNull();
    const next = within(dialog).getByRole('button', { name: 'Next' });
    await waitFor(() => expect(next).toHaveProperty('disabled', false));
    fireEvent.click(next);
    playing.mockRestore();
    await within(dialog).findByRole('slider', { name: '3D strength' });
    fireEvent.error(within(dialog).getByLabelText('video.mp4'));
    within(dialog).getByText('This browser cannot play video.mp4, but it can be converted.');
    const upload = await within(dialog).findByRole('button', { name: 'Upload and convert' });
    await waitFor(() => expect(upload).toHaveProperty('disabled', false));
    fireEvent.click(upload);
    await within(dialog).findByText(errorText('featureNotAvailableYet', 'en'));
    expect(sent.find(({ path }) => path === '/requestUploadMedia')?.input).toMatchObject({
      media_type: 0,
      originalDetails: { name: 'video.mp4' },
    });
  });
});

describe('an animation that is chosen as a photo', () => {
  const frame = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];
  const head = [...new TextEncoder().encode('GIF89a'), 1, 0, 1, 0, 0, 0, 0];
  const gif = new File([Uint8Array.from([...head, ...frame, ...frame, 0x3b])], 'party.gif', { type: 'image/gif' });

  it.each([
    ['Keep it moving', 'Crop your video'],
    ['First frame only', 'Crop and strength'],
  ])('is asked about where videos are allowed: %s [T11]', async (answer, heading) => {
    const { dialog, choose } = await openAs({ VIP: true, videoSeconds: 1200 });
    choose(gif);
    fireEvent.click(await screen.findByRole('button', { name: answer }));
    await within(dialog).findByText(heading);
  });

  it('is dropped where the question is closed without an answer [T11]', async () => {
    const { dialog, choose } = await openAs({ VIP: true, videoSeconds: 1200 });
    choose(gif);
    const question = await screen.findByRole('dialog', { name: 'Keep it moving?' });
    fireEvent.keyDown(question, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Keep it moving?' })).toBeNull());
    choose(file('photo.jpg'));
    await within(dialog).findByText('Crop and strength');
    expect(within(dialog).queryByRole('list', { name: 'Chosen files' })).toBeNull();
  });

  it('is a photo of its first frame to the others, who are not asked [T11]', async () => {
    const { dialog, choose } = await openAs({ VIP: false, videoSeconds: 0 });
    choose(gif);
    await within(dialog).findByText('Crop and strength');
    expect(screen.queryByText('Keep it moving?')).toBeNull();
  });
});

describe('several files at once', () => {
  it('that are chosen one after the other, before the first was looked at, are kept all', async () => {
    const { dialog, choose } = await openAs();
    choose(file('first.jpg'));
    choose(file('second.jpg'));
    const cards = await within(dialog).findByRole('list', { name: 'Chosen files' });
    await waitFor(() => expect(within(cards).getAllByRole('listitem')).toHaveLength(2));
    within(cards).getByText('first.jpg');
  });

  it('are cards on one screen, are sent in their order, and each names its own fault', async () => {
    const { dialog, choose } = await openAs();
    choose([file('first.jpg'), file('notes.txt'), file('second.jpg'), file('third.jpg')]);
    const cards = await within(dialog).findByRole('list', { name: 'Chosen files' });
    await waitFor(() => expect(within(cards).getAllByRole('listitem')).toHaveLength(3));
    const left = within(dialog).getByRole('alert');
    expect(left.textContent).toContain('notes.txt');
    expect(left.textContent).toContain(errorText('invalidExtension', 'en'));
    fireEvent.click(within(dialog).getByRole('button', { name: 'Remove second.jpg' }));
    const convert = await within(dialog).findByRole('button', { name: 'Convert all 2' });
    await waitFor(() => expect(convert).toHaveProperty('disabled', false));
    fireEvent.click(convert);
    // The first is refused, and the next one is sent nevertheless.
    await waitFor(() => expect(within(cards).getAllByText(errorText('featureNotAvailableYet', 'en'))).toHaveLength(2));
    const asked = sent.filter(({ path }) => path === '/requestUploadMedia').map(({ input }) => input);
    expect(asked).toMatchObject([
      { originalDetails: { name: 'first.jpg' }, effect_param_id: 5 },
      { originalDetails: { name: 'third.jpg' }, effect_param_id: 5 },
    ]);
    within(dialog).getByText(/^0 of 2 uploaded 2 were not uploaded\.$/);
    // What the page below lists is asked for again, once.
    await waitFor(() => expect(sent.filter(({ path }) => path === '/videos')).toHaveLength(2));
  });
});

describe('a visitor', () => {
  it('chooses first, is asked for an account at the end, and finds the choice again after the login', async () => {
    const { dialog, choose, unmount } = await openAs(null);
    choose(file('photo.jpg'));
    fireEvent.click(await within(dialog).findByRole('button', { name: 'Upload and convert' }));
    await within(dialog).findByRole('heading', { name: 'Where should the result go?' });
    expect(sent.some(({ path }) => path === '/requestUploadMedia')).toBe(false);
    // This environment stores no files, which is said.
    await within(dialog).findByText(/does not store photos/);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Log in' }));
    await waitFor(() =>
      expect(window.location.pathname + window.location.search).toBe('/login?redirect=%2F%3Faction%3Dupload'),
    );
    unmount();
    const { dialog: again } = await openAs({}, 'Crop and strength');
    await within(again).findByText(/the middle of the photo is used/);
    const upload = within(again).getByRole('button', { name: 'Upload and convert' });
    // A member looks at the choice again: nothing is sent by itself.
    await waitFor(() => expect(upload).toHaveProperty('disabled', false));
    expect(sent.some(({ path }) => path === '/requestUploadMedia')).toBe(false);
  });
});

describe('a choice that was kept', () => {
  const kept = (name: string, deviceTypeId: number | null) =>
    ({ file: file(name), kind: 'picture', area: null, edit: NO_EDIT, deviceTypeId }) as const;
  const askedFor = () => sent.filter(({ path }) => path === '/requestUploadMedia').map(({ input }) => input);

  it('brings a single photo with its own frame', async () => {
    await keepSelection({ files: [kept('wide.jpg', 8)], deviceTypeId: 1, percent: 100 });
    const { dialog } = await openAs({}, 'Crop and strength');
    const upload = await within(dialog).findByRole('button', { name: 'Upload and convert' });
    await waitFor(() => expect(upload).toHaveProperty('disabled', false));
    fireEvent.click(upload);
    await waitFor(() => expect(askedFor()).toMatchObject([{ deviceType: 8 }]));
  });

  it('offers no frame in place of the album that it was for', async () => {
    frameList = [aFrame(1)];
    await keepSelection({ files: [kept('photo.jpg', null)], deviceTypeId: 1, percent: 100, to: 'album' });
    const { dialog } = await openAs({}, 'Crop and strength');
    const upload = await within(dialog).findByRole('button', { name: 'Upload and convert' });
    await waitFor(() => expect(upload).toHaveProperty('disabled', false));
    await waitFor(() => expect(sent.some(({ path }) => path.startsWith('/frames'))).toBe(true));
    await act(() => new Promise((resolve) => setTimeout(resolve, 100)));
    expect(within(dialog).queryByRole('combobox', { name: 'Show it on' })).toBeNull();
  });
});

it('a file can be chosen in a browser whose store never answers', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true, advanceTimeDelta: 200 });
  try {
    vi.stubGlobal('indexedDB', { open: () => ({}) });
    const { choose } = await openAs();
    choose(file('photo.jpg'));
    expect(await screen.findByRole('dialog', { name: 'Crop and strength' })).toBeTruthy();
  } finally {
    vi.useRealTimers();
  }
});

describe('what is refused before it is sent', () => {
  it.each([
    ['empty.jpg', '', 'fileEmpty'],
    ['note.txt', 'x', 'invalidExtension'],
  ] as const)('[R-5.upload.4] [A20] tells what is wrong with %s and stays at step 0', async (name, bytes, code) => {
    const { dialog, choose } = await openAs();
    choose(file(name, bytes));
    await toldInAlert(errorText(code, 'en'));
    expect(within(dialog).getByRole('button', { name: 'Choose photo' })).toBeTruthy();
    expect(sent.some(({ path }) => path === '/requestUploadMedia')).toBe(false);
  });

  it('[R-8.alerts.2] tells the size limit in the words of the specification', async () => {
    const { choose } = await openAs();
    const large = file('large.jpg');
    Object.defineProperty(large, 'size', { value: 52_428_801 });
    choose(large);
    await toldInAlert('Please choose media size less than 50MB');
  });

  it("[R-8.alerts.4] tells 'reader error' when the file cannot be read any more", async () => {
    const { dialog, choose } = await openAs();
    const moved = file('moved.jpg');
    moved.slice = () => {
      throw new DOMException('The file was moved', 'NotReadableError');
    };
    choose(moved);
    await toldInAlert('reader error');
    await within(dialog).findByRole('button', { name: 'Choose photo' });
  });

  it('[R-8.alerts.5] says that there are no frames, and closes', async () => {
    deviceList = [];
    await openAs();
    await toldInAlert(errorText('no_device_registered', 'en'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

describe('no picture', () => {
  it('[R-5.upload.6] [R-8.alerts.3] [R-8.alerts.1] is answered for 2 s by Oops and that none was chosen, without a button', async () => {
    withoutMotion();
    const { dialog } = await openAs();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await act(async () => void fireEvent.drop(within(dialog).getByText(/Drop a photo here/), NO_FILES));
    const alert = screen.getByRole('dialog', { name: 'Oops' });
    expect(alert.textContent).toContain(errorText('noImageSelected', 'en'));
    expect(alert.querySelector('button')).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(1999));
    expect(alert.isConnected).toBe(true);
    await act(() => vi.advanceTimersByTimeAsync(1));
    vi.useRealTimers();
    expect(screen.queryByRole('dialog', { name: 'Oops' })).toBeNull();
    expect(within(dialog).getByRole('button', { name: 'Choose photo' })).toBeTruthy();
  });
});

describe('an upload on its way', () => {
  it('[R-4.loading.1] [R-4.loading.2] [R-8.alerts.9] locks the form, says at 100 % that the server works, and for 2 s that it succeeded [X5]', async () => {
    // A separate file store, as used by the upload links.
    const store = createServer((request, response) => {
      const allowed = { 'access-control-allow-origin': '*', 'access-control-allow-methods': '*' };
      request
        .resume()
        .on('end', () => response.writeHead(200, { ...allowed, 'access-control-allow-headers': '*' }).end());
    });
    await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const others = globalThis.fetch;
    const media_id = '0d4f1b9e-70f4-4d0a-8a50-0c7a3f1b2a10';
    const answer = (message: object) => new Response(JSON.stringify({ success: true, message }), JSON_ANSWER);
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      const link = { url: `http://127.0.0.1:${(store.address() as AddressInfo).port}/put`, headers: {} };
      if (url.endsWith('/requestUploadMedia'))
        return answer({
          original: link.url,
          parts: [{ ...link, size: 1000, arrived: false }],
          cover: null,
          obj: null,
          media_id,
          headers: {},
          expires_at: new Date(Date.now() + 60_000).toISOString(),
        });
      if (!url.endsWith('/setMediaS3UploadFinish')) return others(url, init);
      await finished;
      return answer({ id: media_id, status: 0 });
    });

    const { dialog, choose } = await openAs();
    choose(file('photo.jpg'));
    fireEvent.click(await within(dialog).findByRole('button', { name: 'Upload and convert' }));
    expect(dialog.getAttribute('aria-busy')).toBe('true');
    expect(within(dialog).getByRole('slider', { name: '3D strength' }).closest('[inert]')).not.toBeNull();
    const working = await within(dialog).findByText(/Checking that everything arrived/);
    expect(working.getAttribute('role')).toBe('status');
    expect(within(dialog).queryByRole('progressbar')).toBeNull();
    withoutMotion();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    finish();
    const told = () => within(dialog).queryByRole('alert')?.textContent?.includes('Upload complete') === true;
    await passUntil(told);
    await act(() => vi.advanceTimersByTimeAsync(1999));
    expect([told(), window.location.pathname]).toEqual([true, '/']);
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(window.location.pathname).toBe('/menu/confirmUpload');
    vi.useRealTimers();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    store.close();
  });
});

describe('the price', () => {
  let prices: readonly object[];
  let member: Partial<Person>;
  const free = { type: 'freePoints', amount: 2 };
  beforeEach(() => {
    withoutMotion();
    prices = [{ device_type_id: null, media_type: 1, points: 3 }];
    member = { points: 10, freePoints: 3 };
    let quartile = 0;
    sent = answerCalls(({ path, input }) => {
      if (path === '/getDeviceType') return success(devices);
      if (path.startsWith('/effect_params')) return listOf(effects);
      if (path.startsWith('/frames')) return listOf([]);
      if (path === '/config') return success(aConfig);
      if (path === '/prices') return success(prices);
      if (path === '/user') return success({ ...person, ...member });
      if (path === '/ads') return success({ offered: true, reward: free, left: 2, next_at: null });
      if (path === '/ad/session') {
        const ad = {
          slug: 'depth',
          title: 'Depth',
          text: 'See',
          click: '/upload',
          animation: '/a.svg',
          poster: '/p.svg',
        };
        const id = '00000000-0000-4000-8000-000000000001';
        return success({ id, nonce: 'n', duration: 40, reward: free, ad, adUnitPath: null });
      }
      if (path.endsWith('/progress')) {
        ({ quartile } = input as { quartile: number });
        return success({ nonce: quartile === 100 ? null : 'n', quartile });
      }
      if (path === '/checkPaymentFlow') {
        member = { ...member, freePoints: 4 };
        return success({ points: 0, freePoints: 4, reward: free });
      }
      return refusal(403, 'featureNotAvailableYet', errorText('featureNotAvailableYet', 'en'));
    });
  });
  const upload = (dialog: HTMLElement) =>
    within(dialog).findByRole<HTMLButtonElement>('button', { name: 'Upload and convert' });
  const isOff = (dialog: HTMLElement, off: boolean) =>
    waitFor(async () => expect((await upload(dialog)).disabled).toBe(off));

  it('is told before the upload, with the kind of points that pays for it', async () => {
    prices = [...prices, { device_type_id: 8, media_type: 1, points: 4 }];
    const { dialog, choose } = await openAs(member);
    choose(file('photo.jpg'));
    expect(await within(dialog).findByText('Costs 3 free points. You have 3 free points.')).toBeTruthy();
    fireEvent.click(within(dialog).getByRole('combobox', { name: 'For which frame?' }));
    fireEvent.click(await screen.findByRole('option', { name: '3D TV', hidden: true }));
    expect(await within(dialog).findByText('Costs 4 points. You have 10 points.')).toBeTruthy();
    await isOff(dialog, false);
  });

  it('of several photos is their sum, with both kinds where one does not suffice for all', async () => {
    const { dialog, choose } = await openAs(member);
    choose([file('a.jpg', 'a'), file('b.jpg', 'b'), file('c.jpg', 'c')]);
    const told = 'Costs 3 free points and 6 points. You have 3 free points and 10 points.';
    expect(await within(dialog).findByText(told)).toBeTruthy();
  });

  it('that cannot be paid stops nothing but the upload: an ad is watched on top of the form, which goes on [R-8.payment.4]', async () => {
    member = { points: 2, freePoints: 2 };
    const { dialog, choose } = await openAs(member);
    choose(file('photo.jpg'));
    expect(await within(dialog).findByText(errorText('notEnoughPoints', 'en'))).toBeTruthy();
    expect(dialog.textContent).toContain('This needs 3 points. You have 2 free points and 2 points.');
    expect(dialog.textContent).toContain('Points and free points cannot be combined for one conversion.');
    await isOff(dialog, true);

    fireEvent.click(await within(dialog).findByRole('button', { name: 'Watch an ad' }));
    const ad = await screen.findByRole('dialog', { name: 'Watch an ad to receive a special reward?' });
    const yes = within(ad).getByRole<HTMLButtonElement>('button', { name: 'Yes' });
    await waitFor(() => expect(yes.disabled).toBe(false));
    fireEvent.click(yes);
    fireEvent.load(await waitFor(() => document.querySelector('img[src="/a.svg"]') ?? expect.fail('No picture')));
    expect(await screen.findByText('You have been rewarded 2 free points!')).toBeTruthy();
    // Closes the ad, not the dialog below it.
    fireEvent.keyDown(screen.getByText('You have been rewarded 2 free points!'), { key: 'Escape' });
    await waitFor(() => expect(screen.getAllByRole('dialog')).toEqual([dialog]));
    expect(await within(dialog).findByText('Costs 3 free points. You have 4 free points.')).toBeTruthy();
    await isOff(dialog, false);
    expect(within(dialog).getByText('photo.jpg')).toBeTruthy();
    expect(sent.some(({ path }) => path === '/requestUploadMedia')).toBe(false);
  });

  it('can be paid with points that are bought; the photo is there again when the dialog is opened the next time', async () => {
    member = { points: 0, freePoints: 0 };
    const { dialog, choose } = await openAs(member);
    choose(file('photo.jpg'));
    fireEvent.click(await within(dialog).findByRole('button', { name: 'Buy points' }));
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/addValue'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    fireEvent.click(screen.getByRole('button', { name: 'open' }));
    const again = await screen.findByRole('dialog');
    expect(await within(again).findByText('photo.jpg')).toBeTruthy();
  });
});

describe('frame and strength', () => {
  // This environment decodes no images, so all of them count as not displayable.
  it('offers the paired frames of a member, crops for the one that is chosen, and names it to the server', async () => {
    const id = '00000000-0000-4000-8000-000000000007';
    frameList = [{ id, name: 'Kitchen', device_type_id: 8 }];
    const { dialog, choose } = await openAs();
    choose(file('photo.jpg'));
    const field = await within(dialog).findByRole('combobox', { name: 'Show it on' });
    expect(field).toHaveProperty('value', 'No frame for now');
    fireEvent.click(field);
    fireEvent.click(await screen.findByRole('option', { name: 'Kitchen', hidden: true }));
    expect(within(dialog).getByRole('combobox', { name: 'For which frame?' })).toHaveProperty('value', '3D TV');
    const upload = await within(dialog).findByRole('button', { name: 'Upload and convert' });
    await waitFor(() => expect(upload).toHaveProperty('disabled', false));
    fireEvent.click(upload);
    await waitFor(() =>
      expect(sent.find(({ path }) => path === '/requestUploadMedia')?.input).toMatchObject({ deviceType: 8, to: id }),
    );
  });

  it('[R-2.upload-dialog.7] [R-2.upload-dialog.8] offers 0 % first and begins with 100 %', async () => {
    const { dialog, choose } = await openAs();
    choose(file('photo.jpg'));
    const slider = await within(dialog).findByRole('slider', { name: '3D strength' });
    expect(slider.getAttribute('aria-valuetext')).toBe('100%');
    fireEvent.keyDown(slider, { key: 'Home' });
    expect(slider.getAttribute('aria-valuetext')).toMatch(/^0%/);
  });

  it('sends a file that cannot be shown whole, and says that its middle is used', async () => {
    const { dialog, choose } = await openAs();
    choose(file('photo.jpg'));
    await within(dialog).findByText(/the middle of the photo is used/);
    // The tools cannot be used, and keep their room: the strength below stays where it was.
    expect(within(dialog).getByRole('group', { name: 'Adjust the photo' }).closest('[inert]')).not.toBeNull();
    fireEvent.click(within(dialog).getByRole('button', { name: 'Upload and convert' }));
    await waitFor(() => expect(sent.some(({ path }) => path === '/requestUploadMedia')).toBe(true));
    const { input } = sent.find(({ path }) => path === '/requestUploadMedia') ?? {};
    expect(input).toMatchObject({ deviceType: 1, effect_param_id: 5, media_type: 1 });
    expect(input).not.toHaveProperty('crop');
  });

  it('offers the frames by kind, the last used first, in the language of the page [U10]', async () => {
    const wire = DEVICES.map(({ slug, name, ratio, format }, id) => ({
      ...devices[0],
      id: id + 1,
      // An operator has named this one.
      name: slug === 'plain-3x4' ? 'Lobby' : name,
      ratio: ratio.join(),
      format,
      quilt: null,
    }));
    const idOf = (slug: string) => DEVICES.findIndex((one) => one.slug === slug) + 1;
    deviceList = wire;
    localStorage.setItem('upload.deviceType', `${idOf('3d-tv')},${idOf('looking-glass-go')}`);
    const { dialog, choose } = await openAs();
    choose(file('photo.jpg'));
    await within(dialog).findByLabelText('For which frame?');
    await act(() => i18next.changeLanguage('ja'));
    const field = (await within(dialog).findByRole('combobox', {
      name: 'どのフレームに飾りますか？',
    })) as HTMLInputElement;
    expect(field.value).toBe('3Dテレビ（左右並び・ハーフ）');
    fireEvent.click(field);
    const offered = () => {
      const list = screen.getByRole('listbox', { hidden: true });
      const label = (group: Element) => group.querySelector('.mantine-Select-groupLabel')?.textContent;
      return [...list.querySelectorAll('.mantine-Select-group')].map((group) => [
        label(group),
        ...within(group as HTMLElement)
          .getAllByRole('option', { hidden: true })
          .map(({ textContent }) => textContent),
      ]);
    };
    const groups = offered();
    expect(groups.map(([group]) => group)).toEqual([
      ...['最近使ったもの', 'このスマートフォン・ウェブ', 'Looking Glass', 'レンチキュラーパネル'],
      ...['ヘッドセットと3Dグラス', '3Dテレビ、モニター、プロジェクター', 'メガネ（赤青）', 'ふつうのフレーム'],
    ]);
    expect(groups[0]).toEqual(['最近使ったもの', '3Dテレビ（左右並び・ハーフ）', 'Looking Glass Go']);
    expect(groups.slice(-2)).toEqual([
      ['メガネ（赤青）', '赤青メガネ'],
      ['ふつうのフレーム', 'Lobby', 'Hololuminescentディスプレイ'],
    ]);
    expect(groups.find(([group]) => group === 'ヘッドセットと3Dグラス')).toEqual([
      ...['ヘッドセットと3Dグラス', 'Apple Vision Pro', 'Meta Quest 3', 'Samsung Galaxy XR'],
      'XREALなどの3Dグラス（左右並び・フル）',
    ]);
    expect(groups.flatMap(([, ...names]) => names)).toHaveLength(DEVICES.length);

    fireEvent.click(screen.getByRole('option', { name: '赤青メガネ', hidden: true }));
    expect(field.value).toBe('赤青メガネ');
    const remembered = [idOf('anaglyph-glasses'), idOf('3d-tv'), idOf('looking-glass-go')];
    expect(localStorage.getItem('upload.deviceType')).toBe(remembered.join());
  });

  it('has a text for the name of every device type of the engine [U10]', () => {
    const named = textsIn('en', 'devices') as (key: string) => string;
    for (const { slug, name } of DEVICES) expect(named(`names.${slug.replaceAll('.', '_')}`)).toBe(name);
  });

  it('[R-1.admin.2] lets an admin reload the frames, and nobody else', async () => {
    const admin = await openAs({ isAdmin: true });
    admin.choose(file('photo.jpg'));
    const reload = await within(admin.dialog).findByRole('button', { name: 'Reload the frames' });
    const before = sent.filter(({ path }) => path === '/getDeviceType').length;
    fireEvent.click(reload);
    await waitFor(() => expect(sent.filter(({ path }) => path === '/getDeviceType').length).toBe(before + 1));
    admin.unmount();

    const member = await openAs();
    member.choose(file('photo.jpg'));
    await within(member.dialog).findByRole('slider', { name: '3D strength' });
    expect(within(member.dialog).queryByRole('button', { name: 'Reload the frames' })).toBeNull();
  });
});

describe('leaving', () => {
  it("[R-4.upload-steps.6] asks 'areYouSure' at step 1 with the deed on its buttons, and closes on the deed", async () => {
    const { dialog, choose } = await openAs();
    choose(file('photo.jpg'));
    await within(dialog).findByRole('slider', { name: '3D strength' });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    const question = await screen.findByRole('dialog', { name: 'Discard this crop?' });
    fireEvent.click(within(question).getByRole('button', { name: 'Discard crop' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('[R-4.upload-steps.7] closes at once at step 0', async () => {
    const { dialog } = await openAs();
    fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});
