// @vitest-environment happy-dom
import { DOWNLOAD_FORMATS, FORMAT_GROUPS, LANGUAGES, type MediaDetail } from '@framelift/contract';
import { errorText } from '@framelift/texts/node';
import { act, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { useLiveMedia } from '../../api/media.ts';
import { i18next } from '../../i18n/index.ts';
import { answerCalls, refusal, type SentCall, showPage, success } from '../../testing/page.tsx';
import { AlertHost } from '../../ui/AlertHost.tsx';
import { Downloads } from './Downloads.tsx';

configure({ asyncUtilTimeout: 8000 });

const picture: MediaDetail = {
  id: '5d0fb8b6-6a3b-4b35-8f57-5b1ad0c7d2a1',
  name: 'shop.jpg',
  status: 1,
  cover: null,
  type: 1,
  media_type: 0,
  date: '2026-01-01T00:00:00.000Z',
  finish_time: null,
  device_type_id: 1,
  effect: 100,
  progress: 100,
  uploaded: true,
  step: 'done',
  timeLeft: null,
  failure: null,
  depthSource: 'basic',
  comfort: null,
  convergence: null,
  strokes: 0,
  betterDepth: false,
  canUndo: false,
  canRedo: false,
  crop: null,
  source: null,
  preview: null,
  picture: null,
  whole: null,
  film: null,
  deviceType: {
    id: 1,
    name: 'Looking Glass Portrait',
    note: '',
    ratio: '3,4',
    extendResolution: '2048,1536',
    is_actived: true,
    format: 'quilt',
    quilt: { columns: 8, rows: 6 },
    disparityBudget: 12,
  },
  formats: [...DOWNLOAD_FORMATS],
} as unknown as MediaDetail;

let sent: SentCall[];
beforeEach(() => {
  // The downloaded file is not part of this test: the link is refused.
  sent = answerCalls(({ path }) =>
    path === '/getMediaLink' ? refusal(500, 'conversionFailed', 'It failed.') : success(null),
  );
});

/** Like the result page, which follows the server's state. */
function LiveDownloads() {
  const { data } = useLiveMedia(picture.id);
  return data ? <Downloads media={data} /> : null;
}

async function openFormats(media = picture) {
  await i18next.loadNamespaces(['result', 'formats']);
  await showPage(<Downloads media={media} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Other formats' }));
  return within(await screen.findByRole('dialog', { name: 'Other formats' }));
}
const asked = () => waitFor(() => expect(sent.at(-1)?.path).toBe('/getMediaLink')).then(() => sent.at(-1)?.input);

describe('the formats of a result', () => {
  it('lie in groups, each once, with a line of help', async () => {
    expect(Object.values(FORMAT_GROUPS).flat().sort()).toEqual([...DOWNLOAD_FORMATS].sort());
    const dialog = await openFormats();
    expect(dialog.getAllByRole('checkbox')).toHaveLength(DOWNLOAD_FORMATS.length);
    const cameras = within(dialog.getByRole('group', { name: '3D photo frames and cameras' }));
    expect(cameras.getAllByRole('checkbox')).toHaveLength(2);
    expect(cameras.getByText(/Nintendo 3DS/)).toBeTruthy();
  });

  it('[V39] one is asked for as it is, with its eyes exchanged when wished', async () => {
    const dialog = await openFormats();
    expect(dialog.queryByRole('switch')).toBeNull();
    fireEvent.click(dialog.getByRole('checkbox', { name: 'Half side by side' }));
    fireEvent.click(dialog.getByRole('switch', { name: /^Swap left and right/ }));
    fireEvent.click(dialog.getByRole('button', { name: 'Download' }));
    expect(await asked()).toEqual({ id: picture.id, format: 'hsbs', swapEyes: true });
    expect(await screen.findByText('It failed.')).toBeTruthy();
  });

  it('several, of several groups, are one archive', async () => {
    const dialog = await openFormats();
    for (const name of ['Depth map', 'MPO']) fireEvent.click(dialog.getByRole('checkbox', { name }));
    fireEvent.click(dialog.getByRole('button', { name: 'Download 2 formats as ZIP' }));
    expect(await asked()).toEqual({ id: picture.id, zip: ['depth', 'mpo'] });
  });

  it('[V58] a picture for one panel waits for the calibration of the display', async () => {
    const dialog = await openFormats();
    fireEvent.click(dialog.getByRole('checkbox', { name: 'Image for one panel' }));
    const button = dialog.getByRole<HTMLButtonElement>('button', { name: 'Download' });
    expect(button.disabled).toBe(true);
    const input = document.querySelector<HTMLInputElement>('input[type=file]');
    if (!input) throw new Error('There is no file chooser');
    fireEvent.change(input, { target: { files: [new File(['{"pitch":1}'], 'visual.json')] } });
    await waitFor(() => expect(button.disabled).toBe(false));
    fireEvent.click(button);
    expect(await asked()).toEqual({ id: picture.id, format: 'native', calibration: '{"pitch":1}' });
  });

  it('a video in another format is waited for with its progress, and downloaded once it is made', async () => {
    const video = { preview: null, frames: 50, frame: 50, seconds: 2, fps: 25, notes: [], ready: ['hsbs'], making: [] };
    const making = { format: 'anaglyph', options: {}, progress: 34, frame: 17, timeLeft: 9, failure: null };
    let state: object = video;
    sent = answerCalls(({ path }) => {
      if (path === '/getMediaLink' && state === video) {
        state = { ...video, making: [making] };
        return refusal(409, 'formatBeingMade', 'Being made.');
      }
      return path === '/getMediaLink'
        ? refusal(500, 'conversionFailed', 'Asked again.')
        : success({ ...picture, film: state });
    });
    await i18next.loadNamespaces(['result', 'formats']);
    await showPage(<LiveDownloads />);
    fireEvent.click(await screen.findByRole('button', { name: 'Other formats' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Other formats' }));
    fireEvent.click(dialog.getByRole('checkbox', { name: 'Red-cyan image' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Download' }));
    expect(await screen.findByText(/It downloads as soon as it is ready/)).toBeTruthy();
    const bar = await screen.findByRole('progressbar', { name: 'Converting: Red-cyan image' });
    expect(bar.getAttribute('aria-valuenow')).toBe('34');
    expect(sent.filter(({ path }) => path === '/getMediaLink')).toHaveLength(1);

    state = { ...video, ready: ['hsbs', 'anaglyph'] };
    expect(await screen.findByText('Asked again.')).toBeTruthy();
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  it('an anaglyph of a video can be grey, and with the eyes swapped', async () => {
    const video = {
      preview: null,
      frames: 50,
      frame: 50,
      seconds: 2,
      fps: 25,
      notes: [],
      ready: ['anaglyph'],
      making: [],
    };
    sent = answerCalls(({ path }) =>
      path === '/getMediaLink' ? refusal(500, 'conversionFailed', 'It failed.') : success({ ...picture, film: video }),
    );
    await i18next.loadNamespaces(['result', 'formats']);
    await showPage(<LiveDownloads />);
    fireEvent.click(await screen.findByRole('button', { name: 'Other formats' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Other formats' }));
    fireEvent.click(dialog.getByRole('checkbox', { name: 'Red-cyan image' }));
    fireEvent.click(dialog.getByRole('switch', { name: /Swap left and right/ }));
    fireEvent.click(dialog.getByRole('combobox', { name: 'Type of red-cyan image' }));
    fireEvent.click(await screen.findByRole('option', { name: 'Grey, easiest on the eyes', hidden: true }));
    fireEvent.click(dialog.getByRole('button', { name: 'Download' }));
    expect(await asked()).toEqual({ id: picture.id, format: 'anaglyph', swapEyes: true, anaglyph: 'grey' });
  });

  it('a video that cannot be made in another format says why', async () => {
    const failure = { code: 'conversionFailed', message: 'It went wrong.' };
    const making = [{ format: 'wiggle', options: {}, progress: 0, frame: 0, timeLeft: null, failure }];
    const video = {
      preview: null,
      frames: 50,
      frame: 50,
      seconds: 2,
      fps: 25,
      notes: [],
      ready: ['hsbs'],
      making,
    };
    await i18next.loadNamespaces(['result', 'formats']);
    await showPage(<Downloads media={{ ...picture, film: video } as unknown as MediaDetail} />);
    expect(await screen.findByText('Could not be converted: Animated clip (MP4) It went wrong.')).toBeTruthy();
  });

  it('one that is being made anew gives a warning and leads home [R-8.other.1]', async () => {
    const told = errorText('obj_havent_transformed_completed', 'en');
    answerCalls(() => refusal(409, 'obj_havent_transformed_completed', told));
    await i18next.loadNamespaces(['result', 'formats']);
    await showPage(
      <>
        <Downloads media={picture} />
        <AlertHost />
      </>,
      `/result/${picture.id}`,
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Other formats' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Other formats' }));
    fireEvent.click(dialog.getByRole('checkbox', { name: 'Depth map' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Download' }));
    const warning = await screen.findByRole('dialog', { name: told });
    expect(warning.querySelector('[data-kind="warning"]')).not.toBeNull();
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/home'));
  });

  it('the upload itself comes alone', async () => {
    const dialog = await openFormats();
    for (const name of ['Depth map', 'Original file']) fireEvent.click(dialog.getByRole('checkbox', { name }));
    expect(dialog.getByRole<HTMLInputElement>('checkbox', { name: 'Depth map' }).checked).toBe(false);
    fireEvent.click(dialog.getByRole('button', { name: 'Download' }));
    expect(await asked()).toEqual({ id: picture.id, format: 'original' });
  });
});

const LOOKING_GLASS = {
  en: 'How to show it: Looking Glass Portrait',
  zh: '觀看方式：Looking Glass Portrait',
  ja: '表示方法：Looking Glass Portrait',
};

describe('the guide of a download', () => {
  it('says in two lines how to show it, for every format and in every language', async () => {
    const seen = new Set<string>();
    for (const format of DOWNLOAD_FORMATS) {
      const { unmount } = await showPage(<Downloads media={{ ...picture, formats: [format] } as MediaDetail} />);
      fireEvent.click(await screen.findByRole('button'));
      for (const { code } of LANGUAGES) {
        await act(() => i18next.changeLanguage(code));
        const guide = await screen.findByRole('region', { name: LOOKING_GLASS[code] });
        const lines = within(guide)
          .getAllByRole('listitem')
          .map(({ textContent }) => textContent ?? '');
        expect(lines).toEqual([expect.stringMatching(/[.。]$/), expect.stringMatching(/[.。]$/)]);
        expect(lines.join()).not.toContain('formats.');
        seen.add(lines.join(' '));
      }
      unmount();
    }
    expect(seen.size).toBe(DOWNLOAD_FORMATS.length * LANGUAGES.length);
  });

  it('appears with the click that starts a download, and not before', async () => {
    await i18next.loadNamespaces(['result', 'formats', 'guides']);
    await showPage(<Downloads media={picture} />);
    const own = await screen.findByRole('button', { name: /Looking Glass Portrait/ });
    expect(screen.queryByRole('region', { name: LOOKING_GLASS.en })).toBeNull();
    fireEvent.click(own);
    expect(screen.getByRole('region', { name: LOOKING_GLASS.en })).toBeTruthy();
  });
});
