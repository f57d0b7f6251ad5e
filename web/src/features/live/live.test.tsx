// @vitest-environment happy-dom
import type { LiveEvent, PublicConfig } from '@framelift/contract';
import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setLanguage } from '../../i18n/index.ts';
import { aConfig } from '../../testing/config.ts';
import { LoggedIn } from '../../testing/member.tsx';
import { answerCalls, refusal, type SentCall, showPage, success, withoutMotion } from '../../testing/page.tsx';
import { PlayerPage } from './PlayerPage.tsx';
import { WatchPage } from './WatchPage.tsx';

configure({ asyncUtilTimeout: 8000 });

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const anEvent = (n: number, changes: Partial<LiveEvent> = {}): LiveEvent => ({
  id: idOf(n),
  title: `Game ${n}`,
  timestamp: '2026-03-10T11:00:00.000Z',
  ends_at: '2026-03-10T13:00:00.000Z',
  day: '2026-03-10',
  state: 'live',
  is_free_view: true,
  can_watch: true,
  cover: null,
  angles: [
    { id: idOf(100 + n), name: 'Centre' },
    { id: idOf(200 + n), name: 'Left' },
  ],
  ...changes,
});
const final = anEvent(1, { title: 'Final' });
// 16:30 on the tenth in London is half past midnight on the eleventh in Taipei.
const late = anEvent(2, {
  title: 'Late game',
  timestamp: '2026-03-10T16:30:00.000Z',
  day: '2026-03-11',
  state: 'upcoming',
});

const list = (data: readonly unknown[]) => ({
  body: { success: true, data, meta: { hasNext: false }, links: { self: '', next: null } },
});

interface Site {
  readonly events?: readonly LiveEvent[];
  readonly config?: PublicConfig;
  readonly answer?: (call: SentCall) => ReturnType<Parameters<typeof answerCalls>[0]> | undefined;
}

/** Simulates the server's events. */
async function show(at: string, { events = [final, late], config = aConfig, answer }: Site = {}) {
  withoutMotion();
  const sent = answerCalls((call) => {
    const answered = answer?.(call);
    if (answered) return answered;
    const { pathname, searchParams } = new URL(call.path, 'http://localhost');
    if (pathname === '/config') return success(config);
    const month = searchParams.get('month');
    if (pathname === '/liveEvents') return list(month ? events.filter(({ day }) => day.startsWith(month)) : events);
    const one = events.find(({ id }) => pathname === `/liveEvent/${id}`);
    if (one) return success(one);
    if (pathname.startsWith('/liveEvent/')) return refusal(404, 'liveEventNotFound', 'Not found.');
    return success({});
  });
  const { unmount } = await showPage(
    <LoggedIn>
      <Routes>
        <Route path="/player" element={<PlayerPage content={<p>my content</p>} frames={<p>my frames</p>} />} />
        <Route path="/live/:id" element={<WatchPage />} />
      </Routes>
    </LoggedIn>,
    at,
  );
  return Object.assign(sent, { unmount });
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-10T12:00:00.000Z') });
  // A line that was measured before.
  sessionStorage.setItem('lineSpeed', '50');
});
afterEach(async () => {
  // A page that is left ends its session: the call is made while there is a server to answer it.
  await act(async () => cleanup());
  vi.useRealTimers();
});

describe('the start page of a member', () => {
  it('holds what is on, the calendar, and what the member has: a card has title, time and a button to watch [R-1.feature-live.1] [R-1.feature-live.2] [R-2.live.1] [R-2.live.2] [R-2.live.3]', async () => {
    await show('/player');
    const section = within(await screen.findByRole('region', { name: 'Live games' }));
    const cards = await section.findAllByRole('listitem');
    expect(cards.map((card) => within(card).getByRole('heading').textContent)).toEqual(['Final', 'Late game']);
    const [first, second] = cards as [HTMLElement, HTMLElement];
    expect(first.querySelector('time')?.dateTime).toBe(final.timestamp);
    expect(first.querySelector('time')?.textContent).toBe('Tue, Mar 10, 07:00 PM');
    expect(within(first).getByText('Live')).toBeTruthy();
    expect(within(second).queryByText('Live')).toBeNull();
    const watch = within(first).getByRole('link', { name: 'Watch live: Final' });
    expect(watch.textContent).toBe('Watch live');
    expect(watch.getAttribute('href')).toBe(`/live/${final.id}`);
    expect(await screen.findByRole('grid', { name: 'March 2026' })).toBeTruthy();
    expect(screen.getByText('my content')).toBeTruthy();
    expect(await screen.findByText('my frames')).toBeTruthy();
  });

  it('says so while an operator has switched broadcasts off', async () => {
    await show('/player', { config: { ...aConfig, features: { ...aConfig.features, live: 'off' } } });
    expect(
      await screen.findByText('Live broadcasts cannot be watched at the moment. Please come back later.'),
    ).toBeTruthy();
  });

  it('says that nothing is on, and that the events could not be loaded, with another try', async () => {
    let broken = true;
    await show('/player', {
      events: [],
      answer: ({ path }) =>
        broken && /^\/liveEvents(?!.*month)/.test(path) ? refusal(500, 'internal', 'Broken.') : undefined,
    });
    await screen.findByText('The events could not be loaded.');
    expect(screen.getByText('my content')).toBeTruthy();
    broken = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('Nothing is on right now. The calendar shows what comes next.');
  });
});

describe('the calendar of events', () => {
  const grid = (name: string) => screen.findByRole('grid', { name });
  const dayButton = (name: RegExp) => screen.getByRole('button', { name });
  const press = (key: string, more: object = {}) =>
    act(async () => {
      fireEvent.keyDown(document.activeElement as Element, { key, ...more });
    });
  const focused = () => (document.activeElement as HTMLElement).dataset['day'];

  it('is the grid of the current month and year, from Sunday to Saturday in the language, with events on their day in Taipei [R-2.calendar.1] [R-2.calendar.2] [R-2.calendar.3]', async () => {
    await show('/player');
    const month = await grid('March 2026');
    const heads = () => [...document.querySelectorAll<HTMLTableCellElement>('[role="grid"] th')];
    expect(heads().map(({ textContent }) => textContent)).toEqual(['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']);
    expect(heads().map(({ abbr }) => abbr)[0]).toBe('Sunday');
    const rows = [...month.querySelectorAll('tbody tr')].map((row) =>
      [...row.querySelectorAll('td')].map((cell) => cell.querySelector('button > span')?.textContent ?? ''),
    );
    expect(rows).toHaveLength(5);
    expect(rows[0]).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(rows[4]).toEqual(['29', '30', '31', '', '', '', '']);
    await waitFor(() => dayButton(/^Tuesday, March 10, 2026, 1 event/));
    expect(dayButton(/^Tuesday, March 10, 2026/).getAttribute('aria-current')).toBe('date');
    const ofDay = within(screen.getByRole('region', { name: 'Tuesday, March 10, 2026' }));
    expect(ofDay.getByRole('link').textContent).toContain('Final');

    fireEvent.click(dayButton(/^Wednesday, March 11, 2026, 1 event/));
    const next = within(await screen.findByRole('region', { name: 'Wednesday, March 11, 2026' }));
    expect(next.getByRole('link').textContent).toBe('12:30 AMLate game');
    fireEvent.click(dayButton(/^Thursday, March 12/));
    await screen.findByText('No events on this day.');

    await act(() => setLanguage('zh'));
    await grid('2026年3月');
    expect(heads().map(({ textContent }) => textContent)).toEqual([
      '週日',
      '週一',
      '週二',
      '週三',
      '週四',
      '週五',
      '週六',
    ]);
  });

  it('marks a broadcast over several days on every day that it covers in Taipei, and says on the later ones when it began', async () => {
    const festival = anEvent(4, {
      title: 'Festival',
      timestamp: '2026-03-12T15:00:00.000Z',
      // Midnight in Taipei: the 15th is no longer of it.
      ends_at: '2026-03-14T16:00:00.000Z',
      day: '2026-03-12',
      state: 'upcoming',
    });
    await show('/player', { events: [festival] });
    await grid('March 2026');
    for (const day of ['Thursday, March 12', 'Friday, March 13', 'Saturday, March 14'])
      await waitFor(() => dayButton(new RegExp(`^${day}, 2026, 1 event`)));
    for (const day of ['Wednesday, March 11', 'Sunday, March 15'])
      expect(dayButton(new RegExp(`^${day}, 2026$`))).toBeTruthy();
    fireEvent.click(dayButton(/^Saturday, March 14/));
    const ofDay = within(await screen.findByRole('region', { name: 'Saturday, March 14, 2026' }));
    expect(ofDay.getByRole('link').textContent).toMatch(/^Thu, Mar 12.*11:00 PMFestival$/);
  });

  it('changes the month by its arrows [R-2.calendar.4] [R-2.calendar.5]', async () => {
    await show('/player', { events: [anEvent(3, { title: 'In May', day: '2026-05-02' })] });
    await grid('March 2026');
    fireEvent.click(screen.getByRole('button', { name: 'Next month' }));
    await grid('April 2026');
    await screen.findByText('No events in this month.');
    fireEvent.click(screen.getByRole('button', { name: 'Next month' }));
    await grid('May 2026');
    await waitFor(() => dayButton(/^Saturday, May 2, 2026, 1 event/));
    for (let n = 0; n < 5; n++) fireEvent.click(screen.getByRole('button', { name: 'Previous month' }));
    await grid('December 2025');
  });

  it('has arrows that change nothing where the operator switched them off [R-2.calendar.4] [R-2.calendar.5]', async () => {
    await show('/player', { config: { ...aConfig, features: { ...aConfig.features, calendarArrows: 'off' } } });
    await grid('March 2026');
    const arrow = screen.getByRole('button', { name: 'Next month' });
    await waitFor(() => expect(arrow.getAttribute('aria-disabled')).toBe('true'));
    fireEvent.click(arrow);
    await grid('March 2026');
  });

  it('is moved through by the keys of a grid of dates, and the focus stays on the day', async () => {
    await show('/player');
    await grid('March 2026');
    dayButton(/^Tuesday, March 10/).focus();
    for (const [key, day, more] of [
      ['ArrowRight', '2026-03-11'],
      ['ArrowDown', '2026-03-18'],
      ['Home', '2026-03-15'],
      ['ArrowLeft', '2026-03-14'],
      ['End', '2026-03-14'],
      ['ArrowUp', '2026-03-07'],
      ['PageDown', '2026-04-07'],
      ['PageUp', '2026-03-07'],
      ['PageDown', '2027-03-07', { shiftKey: true }],
      ['PageUp', '2026-03-07', { shiftKey: true }],
      ['ArrowUp', '2026-02-28'],
    ] as const) {
      await press(key, more);
      expect([key, focused()]).toEqual([key, day]);
    }
    await grid('February 2026');
    expect(document.querySelectorAll('[role="grid"] [tabindex="0"]')).toHaveLength(1);
  });
});

describe('the page of a broadcast', () => {
  const watch = (answer: Site['answer'], events: readonly LiveEvent[] = [final]) =>
    show(`/live/${events[0]?.id}`, { events, ...(answer && { answer }) });
  const session = {
    id: idOf(50),
    event: final,
    angles: final.angles.map((angle) => ({ ...angle, manifest: `/api/live/${angle.id}.m3u8` })),
    heartbeat_seconds: 15,
    expires_at: '2026-03-10T12:01:00.000Z',
  };

  it('tells a member without a plan that this is for members, and leads to the plans [R-6.roles.2]', async () => {
    await watch(({ path }) =>
      path === '/watchLive' ? refusal(403, 'not_member_please_buy', 'Please choose a plan first.') : undefined,
    );
    await screen.findByText('Please choose a plan first.');
    expect(screen.getByRole('link', { name: 'See the plans' }).getAttribute('href')).toBe('/plan');
    expect(document.querySelector('video')).toBeNull();
  });

  it('says why an address abroad cannot watch, and lets it try again', async () => {
    let abroad = true;
    const sent = await watch(({ path }) => {
      if (path !== '/watchLive') return undefined;
      return abroad ? refusal(403, 'liveAbroad', 'Only in Taiwan.') : success(session);
    });
    await screen.findByText('Only in Taiwan.');
    abroad = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('region', { name: 'Broadcast: Final' });
    expect(sent.filter(({ path }) => path === '/watchLive').map(({ input }) => input)).toEqual([
      { event_id: final.id },
      { event_id: final.id },
    ]);
  });

  it('asks once for the year of birth, for the birthday only of those who come of age this year, and keeps a wrong year for correction', async () => {
    let confirmed = false;
    const sent = await watch(({ path }) => {
      if (path === '/liveAccess')
        return success({ country: 'TW', is_country_allowed: true, age: 'unknown', age_retry_at: null });
      if (path === '/confirmAge') {
        confirmed = true;
        return success({ age_confirmed_at: '2026-03-10T12:00:00.000Z' });
      }
      if (path !== '/watchLive') return undefined;
      return confirmed ? success(session) : refusal(403, 'ageNotConfirmed', 'Enter your year.');
    });
    const year = await screen.findByLabelText<HTMLInputElement>('Year of birth');
    fireEvent.change(year, { target: { value: '86' } });
    fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
    await screen.findByText('Please enter the four digits of your year of birth.');
    expect(year.value).toBe('86');
    expect(screen.queryByRole('checkbox')).toBeNull();
    fireEvent.change(year, { target: { value: '2008' } });
    fireEvent.click(screen.getByRole('checkbox', { name: 'I have had my birthday this year' }));
    fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
    await screen.findByRole('region', { name: 'Broadcast: Final' });
    expect(sent.filter(({ path }) => path === '/confirmAge').map(({ input }) => input)).toEqual([
      { birth_year: 2008, had_birthday: true },
    ]);
  });

  it('refuses whoever is too young, and says when they may answer again', async () => {
    await watch(({ path }) => {
      if (path === '/liveAccess')
        return success({
          country: 'TW',
          is_country_allowed: true,
          age: 'refused',
          age_retry_at: '2026-03-11T12:00:00.000Z',
        });
      return path === '/watchLive' ? refusal(403, 'underAge', 'Too young.') : undefined;
    });
    await screen.findByText('Live viewing is for people aged 18 or older.');
    await screen.findByText(/^You can answer again after Mar 11, 2026/);
    expect(screen.queryByLabelText('Year of birth')).toBeNull();
  });

  it('warns of a line below the speed of the terms, measures it again, and goes on when told to', async () => {
    sessionStorage.removeItem('lineSpeed');
    const sent = await watch(({ path }) => (path === '/watchLive' ? success(session) : undefined));
    await screen.findByText('Your connection is slow right now');
    expect(screen.getByText(/Streams need at least 10 Mbps/)).toBeTruthy();
    expect(document.querySelector('video')).toBeNull();
    const measured = sent.filter(({ path }) => path.startsWith('/speedTest')).length;
    fireEvent.click(screen.getByRole('button', { name: 'Measure again' }));
    await screen.findByText('Your connection is slow right now');
    expect(sent.filter(({ path }) => path.startsWith('/speedTest')).length).toBeGreaterThan(measured);
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
    await screen.findByRole('region', { name: 'Broadcast: Final' });
  });

  it('recommends the speed for HD on a line between both, beside the picture', async () => {
    sessionStorage.setItem('lineSpeed', '12.34');
    await watch(({ path }) => (path === '/watchLive' ? success(session) : undefined));
    await screen.findByRole('region', { name: 'Broadcast: Final' });
    expect(screen.getByText(/We measured 12.3 Mbps. For HD, 16 Mbps is recommended/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Hide this note' }));
    await waitFor(() => expect(screen.queryByText(/We measured/)).toBeNull());
  });

  it('stops with a notice when another screen of the account takes over, and comes back with one press', async () => {
    let taken = true;
    await watch(({ path }) => {
      if (path === '/watchLive') return success({ ...session, heartbeat_seconds: 0.05 });
      if (path.endsWith('/heartbeat'))
        return taken ? refusal(409, 'liveSessionReplaced', 'Replaced.') : success({ expires_at: session.expires_at });
      return undefined;
    });
    await screen.findByText('Playback has moved to another screen');
    expect(document.querySelector('video')).toBeNull();
    taken = false;
    fireEvent.click(screen.getByRole('button', { name: 'Watch here' }));
    await screen.findByRole('region', { name: 'Broadcast: Final' });
  });

  it('begins anew by itself when its session has ended, and only once in a while', async () => {
    let sessions = 0;
    await watch(({ path }) => {
      if (path === '/watchLive') return success({ ...session, id: idOf(60 + ++sessions), heartbeat_seconds: 0.05 });
      return path.endsWith('/heartbeat') ? refusal(403, 'liveSessionEnded', 'Ended.') : undefined;
    });
    await screen.findByText('Ended.');
    expect(sessions).toBe(2);
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  });

  it('asks nothing twice when a session follows another one: the warning of a slow line stays accepted', async () => {
    sessionStorage.setItem('lineSpeed', '5');
    let sessions = 0;
    await watch(({ path }) => {
      if (path === '/watchLive') return success({ ...session, id: idOf(60 + ++sessions), heartbeat_seconds: 0.05 });
      const ended = path === `/liveSession/${idOf(61)}/heartbeat`;
      return ended ? refusal(403, 'liveSessionEnded', 'Ended.') : undefined;
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(sessions).toBe(2));
    await screen.findByRole('region', { name: 'Broadcast: Final' });
    expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();
  });

  it('goes on with its new session when several refusals of the old one arrive', async () => {
    let sessions = 0;
    let late = (_: ReturnType<typeof refusal>): void => expect.fail('no second question');
    let asked = 0;
    await watch(({ path }) => {
      if (path === '/watchLive') return success({ ...session, id: idOf(60 + ++sessions) });
      if (!path.endsWith('/heartbeat')) return undefined;
      if (++asked !== 2) return refusal(403, 'liveSessionEnded', 'Ended.');
      return new Promise<ReturnType<typeof refusal>>((resolve) => {
        late = resolve;
      });
    });
    await screen.findByRole('region', { name: 'Broadcast: Final' });
    // Each refused file and each return to the page asks for the session.
    for (let n = 0; n < 2; n++) document.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(sessions).toBe(2));
    await act(async () => late(refusal(403, 'liveSessionEnded', 'Ended.')));
    await screen.findByRole('region', { name: 'Broadcast: Final' });
    expect(screen.queryByText('Ended.')).toBeNull();
  });

  it('offers another try where the code of the player could not be loaded, and makes it', async () => {
    vi.stubGlobal('MediaSource', class {});
    let tries = 0;
    vi.doMock('hls.js', () => {
      tries++;
      throw new Error('There is no such file');
    });
    await watch(({ path }) => (path === '/watchLive' ? success(session) : undefined));
    const alert = await within(await screen.findByRole('region', { name: /^Broadcast/ })).findByRole('alert');
    expect(alert.textContent).toMatch(/^The broadcast is interrupted/);
    const before = tries;
    fireEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(tries).toBeGreaterThan(before));
    vi.doUnmock('hls.js');
  });

  it('names a browser that plays no broadcasts, without another try that would change nothing', async () => {
    // Happy-dom says that it plays what has no source.
    vi.spyOn(HTMLMediaElement.prototype, 'play').mockReturnValue(new Promise(() => {}));
    await watch(({ path }) => (path === '/watchLive' ? success(session) : undefined));
    const alert = await within(await screen.findByRole('region', { name: /^Broadcast/ })).findByRole('alert');
    expect(alert.textContent).toBe('This browser cannot play live broadcasts. Please use a current one.');
    expect(within(alert).queryByRole('button')).toBeNull();
    vi.restoreAllMocks();
  });

  it('waits for the beginning of an event, and then plays', async () => {
    const soon = { ...late, timestamp: '2026-03-10T12:00:01.000Z' };
    let asked = 0;
    await watch(
      ({ path }) => {
        if (path === '/watchLive') return success({ ...session, event: soon });
        if (path !== `/liveEvent/${soon.id}`) return undefined;
        return success(asked++ === 0 ? soon : { ...soon, state: 'live' });
      },
      [soon],
    );
    await screen.findByText('This event has not begun yet. It starts here by itself.');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Late game');
    await screen.findByRole('region', { name: 'Broadcast: Late game' });
  });

  it('leads back from an event that is over or gone', async () => {
    const back = () => screen.getByRole('link', { name: 'All events' }).getAttribute('href');
    const { unmount } = await watch(undefined, [anEvent(4, { state: 'past' })]);
    await screen.findByText('This event is over.');
    expect(back()).toBe('/player');
    unmount();
    await show(`/live/${idOf(9)}`);
    await screen.findByText('Not found.');
    expect(back()).toBe('/player');
  });
});
