// @vitest-environment happy-dom
import type { AdSession } from '@framelift/contract';
import { errorText } from '@framelift/texts/node';
import { useQuery } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type ReactNode, Suspense, useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { userQuery } from '../../api/session.ts';
import { i18next } from '../../i18n/index.ts';
import { aMember, answerCalls, refusal, type SentCall, showPage, success, withoutMotion } from '../../testing/page.tsx';
import { RewardedAd } from './RewardedAd.tsx';

const ID = '00000000-0000-4000-8000-000000000001';
const session: AdSession = {
  id: ID,
  nonce: 'n0',
  duration: 200,
  reward: { type: 'freePoints', amount: 1 },
  ad: {
    slug: 'frame',
    title: 'A frame that looks alive',
    text: 'Pair a display with a code and fill it from your phone.',
    click: '/menu/frameSetting',
    animation: `/api/ad/session/${ID}/picture`,
    poster: `/api/ad/session/${ID}/picture?still=yes`,
  },
  adUnitPath: null,
};
const offer = { offered: true, reward: session.reward, left: 3, next_at: null as string | null };

type Answer = ReturnType<typeof success> | ReturnType<typeof refusal>;
type Answers = (call: SentCall) => Answer | Promise<Answer> | undefined;

/** Opens the dialog. The server answers each report with the next nonce; `own` answers first. */
async function open(own: Answers = () => undefined, beside?: ReactNode): Promise<SentCall[]> {
  withoutMotion();
  let n = 0;
  const sent = answerCalls((call) => {
    const given = own(call);
    if (given) return given;
    if (call.path === '/ads') return success(offer);
    if (call.path === '/ad/session') return success(session);
    if (call.path === '/checkPaymentFlow') return success({ points: 0, freePoints: 1, reward: session.reward });
    const { quartile } = call.input as { quartile: number };
    return success({ nonce: quartile === 100 ? null : `n${++n}`, quartile });
  });
  // An aborted call has no answer.
  const answered = globalThis.fetch;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    Promise.race([
      answered(url, init),
      new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
    ]),
  );
  await showPage(
    <>
      {beside}
      <Page />
    </>,
  );
  await i18next.loadNamespaces(['ads', 'points']);
  fireEvent.click(screen.getByRole('button', { name: 'open' }));
  return sent;
}
function Balance() {
  const { data } = useQuery(userQuery);
  return <p>{data?.freePoints} free points</p>;
}
function Page() {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpened(true)}>
        open
      </button>
      <Suspense fallback={null}>
        <RewardedAd opened={opened} onClose={() => setOpened(false)} />
      </Suspense>
    </>
  );
}
const QUESTION = 'Watch an ad to receive a special reward?';
const REWARDED = 'You have been rewarded 1 free point!';
const yes = async () => {
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Yes' });
  await waitFor(() => expect(button.disabled).toBe(false));
  fireEvent.click(button);
};
const picture = () =>
  waitFor(() => document.querySelector('[role=dialog] img') ?? expect.fail('There is no picture yet'));
const reports = (sent: SentCall[]) =>
  sent
    .filter(({ path }) => path === `/ad/session/${ID}/progress`)
    .map(({ input }) => Object.values(input as { nonce: string; quartile: number; visible: boolean }));
const claims = (sent: SentCall[]) => sent.filter(({ path }) => path === '/checkPaymentFlow');

let visibility: DocumentVisibilityState;
beforeEach(() => {
  visibility = 'visible';
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
});
afterEach(() => vi.restoreAllMocks());
const turn = (to: DocumentVisibilityState) =>
  act(async () => {
    visibility = to;
    document.dispatchEvent(new Event('visibilitychange'));
  });

it('the dialog asks, and No closes it without an ad or a reward [R-2.rewarded-ad.1] [R-2.rewarded-ad.3]', async () => {
  const sent = await open();
  const dialog = within(await screen.findByRole('dialog', { name: QUESTION }));
  expect(await dialog.findByText('Each ad gives you 1 free point.3 more ads today.')).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: 'No' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.filter(({ method }) => method !== 'GET')).toEqual([]);
});

it('Yes starts the ad; every quarter is reported with the nonce of the answer before it, and the server’s reward is told [R-2.rewarded-ad.2] [R-2.rewarded-ad.4]', async () => {
  const sent = await open();
  await yes();
  const image = await picture();
  expect(image.getAttribute('src')).toBe(session.ad?.animation);
  expect(image.parentElement?.querySelector('source')?.getAttribute('media')).toBe('(prefers-reduced-motion: reduce)');
  // Nothing counts before it can be seen.
  expect(reports(sent)).toEqual([]);
  fireEvent.load(image);
  expect(await screen.findByText(REWARDED)).toBeTruthy();
  expect(reports(sent)).toEqual([
    ['n0', 0, true],
    ['n1', 25, true],
    ['n2', 50, true],
    ['n3', 75, true],
    ['n4', 100, true],
  ]);
  expect(claims(sent).map(({ input }) => input)).toEqual([{ value: 0, type: 2 }]);
  fireEvent.click(within(screen.getByRole('dialog')).getAllByRole('button', { name: 'Close' })[1] as HTMLElement);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('a hidden page pauses the ad, and the server is told', async () => {
  const sent = await open();
  await yes();
  const image = await picture();
  await turn('hidden');
  fireEvent.load(image);
  await waitFor(() => expect(reports(sent)).toEqual([['n0', 0, false]]));
  await turn('visible');
  expect(await screen.findByText(REWARDED)).toBeTruthy();
  expect(reports(sent).slice(0, 3)).toEqual([
    ['n0', 0, false],
    ['n1', 0, true],
    ['n2', 25, true],
  ]);
});

it('an ad that is left gives nothing and reports nothing more', async () => {
  const sent = await open((call) =>
    call.path === '/ad/session' ? success({ ...session, duration: 60_000 }) : undefined,
  );
  await yes();
  fireEvent.load(await picture());
  await waitFor(() => expect(reports(sent)).toHaveLength(1));
  fireEvent.click(screen.getByRole('button', { name: 'Leave without reward' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await turn('hidden');
  await turn('visible');
  expect(reports(sent)).toHaveLength(1);
  expect(claims(sent)).toEqual([]);
});

it('what was watched to its end is given and shown as the balance, also if the dialog is closed while it is claimed', async () => {
  let give: () => void = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  let freePoints = 0;
  const sent = await open(
    ({ path }) => {
      if (path === '/user') return success({ ...aMember, freePoints });
      if (path !== '/checkPaymentFlow') return undefined;
      return given.then(() => {
        freePoints = 1;
        return success({ points: 0, freePoints, reward: session.reward });
      });
    },
    <Balance />,
  );
  await yes();
  fireEvent.load(await picture());
  await waitFor(() => expect(claims(sent)).toHaveLength(1));
  fireEvent.click(screen.getByRole('button', { name: 'Leave without reward' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByText('0 free points')).toBeTruthy();
  await act(async () => give());
  expect(await screen.findByText('1 free points')).toBeTruthy();
  expect(claims(sent)).toHaveLength(1);
});

it('keeps the focus inside through every phase, and offers to try again where the offer cannot be loaded', async () => {
  let fails = true;
  const code = 'internal';
  await open(({ path }) => {
    if (path === '/ads' && fails) return refusal(500, code, 'Something went wrong.');
    return undefined;
  });
  const alert = (await screen.findByText('The ads could not be loaded.')).closest('[role=alert]') as HTMLElement;
  fails = false;
  fireEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
  await yes();
  const body = (await picture()).closest('[tabindex="-1"]');
  await waitFor(() => expect(document.activeElement?.contains(document.querySelector('[role=dialog] img'))).toBe(true));
  fireEvent.load(await picture());
  await screen.findByText(REWARDED);
  expect(document.activeElement?.textContent).toBe('Close');
  expect(body?.contains(document.activeElement)).toBe(true);
});

it('goes on by itself after a break of the line, with the report that had no answer', async () => {
  let breaks = 1;
  const sent = await open(({ input }) => {
    if ((input as { quartile?: number } | null)?.quartile === 50 && breaks-- > 0)
      throw new TypeError('Failed to fetch');
    return undefined;
  });
  await yes();
  fireEvent.load(await picture());
  expect(await screen.findByText('The connection is interrupted. The ad goes on by itself…')).toBeTruthy();
  window.dispatchEvent(new Event('online'));
  expect(await screen.findByText(REWARDED)).toBeTruthy();
  expect(reports(sent).filter(([, quartile]) => quartile === 50)).toEqual([
    ['n2', 50, true],
    ['n2', 50, true],
  ]);
});

it('tells when the next ad can be watched, before one is started and when one is refused', async () => {
  const next_at = new Date(Date.now() + 3_600_000).toISOString();
  let ads = { ...offer, left: 0, next_at: next_at as string | null };
  const code = 'adsLimitReached';
  await open(({ path }) => {
    if (path === '/ads') return success(ads);
    return path === '/ad/session' ? refusal(409, code, errorText(code, 'en')) : undefined;
  });
  expect(await screen.findByText(/^You have watched all the ads for today. Next ad: \S/)).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Yes' }).disabled).toBe(true);

  fireEvent.click(screen.getByRole('button', { name: 'No' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  ads = offer;
  // The last one was watched in another tab meanwhile.
  fireEvent.click(screen.getByRole('button', { name: 'open' }));
  await yes();
  ads = { ...offer, left: 0, next_at };
  expect((await screen.findByText(/^You have watched all the ads for today. Next ad: \S/)).role).toBe('alert');
});

it('an ad of Google is loaded only where the operator chose it, and counts when Google and the server have seen it [R-7.misc.5]', async () => {
  const scripts: HTMLScriptElement[] = [];
  vi.spyOn(document.head, 'append').mockImplementation((script) => {
    scripts.push(script as HTMLScriptElement);
  });
  const slot = { addService: () => slot };
  const listeners = new Map<string, (event: object) => void>();
  const destroyed: unknown[] = [];
  const pubads = {
    setPrivacySettings: vi.fn(),
    addEventListener: (name: string, run: (event: object) => void) => listeners.set(name, run),
    removeEventListener: (name: string) => listeners.delete(name),
  };
  const google = {
    enums: { OutOfPageFormat: { REWARDED: 4 } },
    defineOutOfPageSlot: vi.fn(() => slot),
    pubads: () => pubads,
    enableServices() {},
    display() {},
    destroySlots: (slots: unknown[]) => destroyed.push(...slots),
  };
  const page = window as unknown as { googletag?: { cmd: { push(run: () => void): void } | (() => void)[] } };
  const sent = await open((call) =>
    call.path === '/ad/session' ? success({ ...session, ad: null, adUnitPath: '/6355419/Travel' }) : undefined,
  );
  expect(scripts).toEqual([]);
  await yes();
  await waitFor(() => expect(scripts.map(({ src }) => new URL(src).host)).toEqual(['securepubads.g.doubleclick.net']));
  // The script arrives: it runs what waits.
  const waiting = page.googletag?.cmd as (() => void)[];
  Object.assign(page.googletag ?? {}, google, { cmd: { push: (run: () => void) => run() } });
  act(() => {
    for (const run of waiting) run();
  });
  expect(google.defineOutOfPageSlot).toHaveBeenCalledWith('/6355419/Travel', 4);
  expect(pubads.setPrivacySettings).toHaveBeenCalledWith({ nonPersonalizedAds: true });
  expect(reports(sent)).toEqual([]);
  const makeRewardedVisible = vi.fn();
  act(() => listeners.get('rewardedSlotReady')?.({ slot, makeRewardedVisible }));
  expect(makeRewardedVisible).toHaveBeenCalledOnce();
  await waitFor(() => expect(reports(sent).at(-1)?.[1]).toBe(75));
  expect(claims(sent)).toEqual([]);
  act(() => listeners.get('rewardedSlotGranted')?.({ slot }));
  act(() => listeners.get('rewardedSlotClosed')?.({ slot }));
  expect(await screen.findByText(REWARDED)).toBeTruthy();
  expect(destroyed).toEqual([slot]);
  expect(listeners.size).toBe(0);
  delete page.googletag;
});

it('says that there is no ad where Google has none, and that one was closed early', async () => {
  vi.spyOn(document.head, 'append').mockImplementation(() => {});
  const listeners = new Map<string, (event: object) => void>();
  const slot = { addService: () => slot };
  const page = window as unknown as { googletag?: object };
  page.googletag = {
    cmd: { push: (run: () => void) => run() },
    enums: { OutOfPageFormat: { REWARDED: 4 } },
    defineOutOfPageSlot: () => slot,
    pubads: () => ({
      setPrivacySettings() {},
      addEventListener: (name: string, run: (event: object) => void) => listeners.set(name, run),
      removeEventListener() {},
    }),
    enableServices() {},
    display() {},
    destroySlots() {},
  };
  const sent = await open((call) =>
    call.path === '/ad/session' ? success({ ...session, ad: null, adUnitPath: '/6355419/Travel' }) : undefined,
  );
  await yes();
  await waitFor(() => expect(listeners.size).toBe(4));
  act(() => listeners.get('slotRenderEnded')?.({ slot, isEmpty: true }));
  expect(await screen.findByText('There is no ad to show right now. Please try again later.')).toBeTruthy();
  listeners.clear();
  fireEvent.click(screen.getByRole('button', { name: 'Start again' }));
  await waitFor(() => expect(listeners.size).toBe(4));
  act(() => listeners.get('rewardedSlotReady')?.({ slot, makeRewardedVisible() {} }));
  act(() => listeners.get('rewardedSlotClosed')?.({ slot }));
  expect(await screen.findByText('You closed the ad early, so there is no reward.')).toBeTruthy();
  expect(claims(sent)).toEqual([]);
  delete page.googletag;
});
