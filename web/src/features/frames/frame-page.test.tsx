// @vitest-environment happy-dom
import { type FrameItem, type FrameSender, featurePreset, LIMITS, type OwnFrame } from '@framelift/contract';
import { cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ShowOnFrameButton } from '../../shared/show-on-frame/ShowOnFrameButton.tsx';
import { aFrame, anItem, frameId } from '../../testing/frames.ts';
import { LoggedIn } from '../../testing/member.tsx';
import { answerCalls, refusal, type SentCall, showPage, success, withoutMotion } from '../../testing/page.tsx';
import { FramePage } from './FramePage.tsx';

configure({ asyncUtilTimeout: 15_000 });

beforeAll(async () => {
  await Promise.all([
    import('../../ui/AlertModal.tsx'),
    import('../../shared/show-on-frame/ShowOnFrameDialog.tsx'),
    import('./items/AddToFrame.tsx'),
  ]);
}, 60_000);
beforeEach(withoutMotion);
afterEach(() => vi.restoreAllMocks());

type Refuse = (call: SentCall) => ReturnType<typeof refusal> | undefined;

interface House {
  frames?: OwnFrame[];
  items?: FrameItem[];
  senders?: FrameSender[];
  friends?: { id: string; name: string; owner: string }[];
  refuse?: Refuse;
}

/** What the calls send, each of them a part of it. */
interface Input {
  frames: string[];
  calibration: string | null;
  item: string;
  before: string | null;
  items: string[];
  fit: FrameItem['fit'];
  friend: string;
  allowed: boolean;
}

/** Simulates a server that has these frames, and keeps what is changed. Items are those of every frame. */
function serve({ frames = [aFrame(1)], items = [], senders = [], friends = [], refuse }: House) {
  const house = { frames, items, senders };
  const page = (data: unknown[]) => ({
    body: { success: true, data, meta: { hasNext: false }, links: { self: '/', next: null } },
  });
  const sent = answerCalls((call) => {
    const refused = refuse?.(call);
    if (refused) return refused;
    const [, first, id, part] = (call.path.split('?')[0] ?? '').split('/');
    const input = (call.input ?? {}) as Input;
    const frame = house.frames.find((one) => one.id === id);
    if (first === 'config') return success({ features: featurePreset('full') });
    if (first === 'framesOfFriends') return success(friends);
    if (first === 'getDeviceType') return success([]);
    if (first === 'videos' || first === 'albums') return page([]);
    if (first === 'showOnFrame') {
      return success(input.frames.map((one) => ({ frame: one, items: [frameId(101)] })));
    }
    if (first !== 'frames') return success({});
    if (id === undefined) return page(house.frames);
    if (!frame) return refusal(404, 'frameNotFound', 'This frame is gone.');
    const changed = (changes: Partial<OwnFrame>) => {
      house.frames = house.frames.map((one) => (one.id === id ? { ...one, ...changes } : one));
      return success(house.frames.find((one) => one.id === id));
    };
    switch (part) {
      case 'options':
        return changed({ options: { ...frame.options, ...(call.input as object) } });
      case 'calibration':
        return changed({ hasCalibration: input.calibration !== null });
      case 'move': {
        const moved = house.items.filter((one) => one.id === input.item);
        const others = house.items.filter((one) => one.id !== input.item);
        const at = others.findIndex((one) => one.id === input.before);
        house.items = at < 0 ? [...others, ...moved] : others.toSpliced(at, 0, ...moved);
        return success(house.items);
      }
      case 'remove':
        house.items = house.items.filter((one) => !input.items.includes(one.id));
        return success({});
      case 'restore':
        house.items = items;
        return success({});
      case 'fit':
        house.items = house.items.map((one) => (one.id === input.item ? { ...one, fit: input.fit } : one));
        return success({});
      case 'senders':
        if (call.method === 'POST') {
          house.senders = house.senders.map((one) =>
            one.friend === input.friend ? { ...one, allowed: input.allowed } : one,
          );
        }
        return success(house.senders);
      case 'items':
        return success(house.items);
      default:
        return success(frame);
    }
  });
  return { sent, house };
}

async function showFrame(house: House, tab = 'pictures') {
  const served = serve(house);
  await showPage(
    <LoggedIn>
      <Routes>
        <Route path="/menu/frameSetting/:id" element={<FramePage />} />
        <Route path="*" element={<p>another page</p>} />
      </Routes>
    </LoggedIn>,
    `/menu/frameSetting/${frameId(1)}?tab=${tab}`,
  );
  return served;
}
const writes = (sent: SentCall[], path: string) =>
  sent.filter((call) => call.method === 'POST' && call.path.endsWith(path)).map(({ input }) => input);
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }));
const names = () => [...document.querySelectorAll('[data-item]')].map((row) => row.querySelector('a')?.textContent);
async function choose(menu: string, entry: string) {
  await press(`Actions for ${menu}`);
  const role = ['Show whole', 'Fill the screen'].includes(entry) ? 'menuitemradio' : 'menuitem';
  fireEvent.click(await screen.findByRole(role, { name: entry, hidden: true }));
}

describe('a frame of a member', { timeout: 60_000 }, () => {
  it('tells in words and by its own symbol whether it is up to date, downloading, away or empty [R-1.member.11]', async () => {
    const seen = new Date(Date.now() - 3 * 3_600_000).toISOString();
    const states = [
      [{ state: 'upToDate', online: true }, 'Up to date'],
      [{ state: 'downloading', online: true, count: 7, waiting: 5 }, 'Preparing: 7 of 12 ready'],
      [{ state: 'downloading', online: true, count: 12 }, 'Downloading'],
      [{ state: 'offline', lastSeenAt: seen }, 'Offline, last connected 3 hours ago'],
      [{ state: 'empty', online: true }, 'Connected, nothing to show yet'],
      [{ state: 'never' }, 'Not connected yet'],
    ] as const;
    const symbols = new Set<string>();
    for (const [changes, text] of states) {
      await showFrame({ frames: [aFrame(1, changes)] });
      const light = (await screen.findByText(text)).closest('[data-state]');
      symbols.add(light?.querySelector('svg')?.innerHTML ?? '');
      cleanup();
    }
    expect(symbols.size).toBe(5);
  });

  it('tells what it shows now, its player, and what it could not do with what helps [R-1.member.11]', async () => {
    const at = new Date(Date.now() - 120_000).toISOString();
    await showFrame(
      {
        frames: [
          aFrame(1, {
            online: true,
            state: 'upToDate',
            version: '1.4.0',
            showing: { item: frameId(101), name: 'Beach', cover: '/files/beach.jpg', since: at },
            problems: [
              { at, name: 'Harbour', code: 'notDecoded', detail: 'DecodeError' },
              { at, name: null, code: 'storageFull', detail: '' },
            ],
          }),
        ],
      },
      'settings',
    );
    const now = await screen.findByRole('region', { name: 'Showing now' });
    within(now).getByText('Beach');
    expect(now.querySelector('img')?.getAttribute('src')).toBe('/files/beach.jpg');
    const problems = within(screen.getByRole('region', { name: 'What the frame could not do' }));
    expect(problems.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      '\u201cHarbour\u201d cannot be drawn by this screen. Convert it again, or choose another display under Settings. 2 minutes ago',
      'The frame has no room left and loads the rest while it plays. Remove some pictures, or free space on the frame. 2 minutes ago',
    ]);
    screen.getByText('1.4.0');
  });

  it('that is gone says so', async () => {
    await showFrame({ frames: [] });
    await screen.findByText('This frame is not paired with your account any more.');
  });

  it('saves an option at once; one that fails goes back, says why, and can be tried again', async () => {
    let broken = true;
    const { sent } = await showFrame(
      {
        refuse: ({ method, path }) =>
          broken && method === 'POST' && path.endsWith('/options')
            ? refusal(503, 'systemBusy', 'The system is busy.')
            : undefined,
      },
      'settings',
    );
    const shuffle = (await screen.findByRole('switch', { name: /^Shuffle/ })) as HTMLInputElement;
    fireEvent.click(shuffle);
    await screen.findByText('Not saved: The system is busy.');
    await waitFor(() => expect(shuffle.checked).toBe(false));
    broken = false;
    await press('Try again');
    await screen.findByText('Saved');
    expect(shuffle.checked).toBe(true);
    expect(writes(sent, '/options')).toEqual([{ shuffle: true }, { shuffle: true }]);
    fireEvent.click(screen.getByRole('switch', { name: /^Sleep at night/ }));
    fireEvent.change(await screen.findByLabelText('Until'), { target: { value: '06:30' } });
    await waitFor(() => expect(writes(sent, '/options').at(-1)).toEqual({ sleep: { from: '22:00', to: '06:30' } }));
  });

  it('takes a time of one\u2019s own from 5 seconds to a day', async () => {
    const { sent } = await showFrame(
      { frames: [aFrame(1, { options: { ...aFrame(1).options, intervalSeconds: 90 } })] },
      'settings',
    );
    const time = await screen.findByLabelText('Time');
    expect((time as HTMLInputElement).value).toBe('90');
    fireEvent.change(time, { target: { value: '3' } });
    await screen.findByText('From 5 seconds to 1 day');
    expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
    fireEvent.change(time, { target: { value: '45' } });
    await press('Save');
    await waitFor(() => expect(writes(sent, '/options')).toEqual([{ intervalSeconds: 45 }]));
  });

  it('plays as a light field only with its calibration, which is checked before it is sent', async () => {
    let broken = false;
    const refuse: Refuse = ({ path }) =>
      broken && path.endsWith('/calibration') ? refusal(503, 'systemBusy', 'The system is busy.') : undefined;
    const { sent } = await showFrame({ refuse }, 'settings');
    fireEvent.click(await screen.findByRole('combobox', { name: 'How depth is shown' }));
    fireEvent.click(await screen.findByRole('option', { name: /^Light field, direct/, hidden: true }));
    const paste = await screen.findByLabelText('Or paste the text of the file');
    expect(writes(sent, '/options')).toEqual([]);
    fireEvent.change(paste, { target: { value: '{"pitch": 50}' } });
    await screen.findByText(/^This is not a calibration file\./);
    expect(writes(sent, '/calibration')).toEqual([]);
    const visual = JSON.stringify({ pitch: 50, slope: -7, center: 0.3, DPI: 324, screenW: 1536, screenH: 2048 });
    fireEvent.drop(screen.getByRole('group', { name: 'Display calibration (visual.json)' }), {
      dataTransfer: { files: [new File([visual], 'visual.json')] },
    });
    await waitFor(() => expect(writes(sent, '/calibration')).toEqual([{ calibration: visual }]));
    await waitFor(() => expect(writes(sent, '/options')).toEqual([{ mode: 'native' }]));
    await screen.findByText('This frame has its calibration.');
    broken = true;
    await press('Remove');
    await screen.findByText('The system is busy.');
    screen.getByText('This frame has its calibration.');
  });

  it('lets exactly the chosen friends send to it', async () => {
    const { sent } = await showFrame(
      {
        senders: [
          { friend: frameId(31), name: 'Ken', allowed: false },
          { friend: frameId(32), name: 'Aya', allowed: true },
        ],
      },
      'friends',
    );
    const ken = (await screen.findByRole('switch', { name: 'Ken' })) as HTMLInputElement;
    expect([ken.checked, (screen.getByRole('switch', { name: 'Aya' }) as HTMLInputElement).checked]).toEqual([
      false,
      true,
    ]);
    fireEvent.click(ken);
    await screen.findByText('Ken may now send pictures to Frame 1.');
    expect(writes(sent, '/senders')).toEqual([{ friend: frameId(31), allowed: true }]);
    expect(ken.checked).toBe(true);
  });
});

describe('the pictures of a frame', { timeout: 60_000 }, () => {
  const items = [anItem(1), anItem(2), anItem(3)];

  it('are ordered by the keys of their handles, and every step is told', async () => {
    // Rows of 100 pixels: the simulated page has no layout.
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      const row = this.closest('[data-item]');
      const top = row ? [...document.querySelectorAll('[data-item]')].indexOf(row) * 100 : 0;
      return DOMRect.fromRect({ x: 0, y: top, width: 300, height: 100 });
    });
    const { sent } = await showFrame({ items });
    const handle = await screen.findByRole('button', { name: 'Move Picture 3' });
    handle.focus();
    fireEvent.keyDown(handle, { code: 'Space' });
    await screen.findByText('Picture 3 lifted, place 3 of 3.');
    for (const place of [2, 1]) {
      fireEvent.keyDown(document.activeElement ?? handle, { code: 'ArrowUp' });
      await screen.findByText(`Picture 3 is over place ${place} of 3.`);
    }
    fireEvent.keyDown(document.activeElement ?? handle, { code: 'Space' });
    await screen.findByText('Picture 3 dropped at place 1 of 3.');
    await waitFor(() => expect(writes(sent, '/move')).toEqual([{ item: items[2]?.id, before: items[0]?.id }]));
    expect(names()).toEqual(['Picture 3', 'Picture 1', 'Picture 2']);
  });

  it('are moved by their menu too, and stay where they were when that fails', async () => {
    let broken = false;
    const { sent } = await showFrame({
      items,
      refuse: ({ path }) => (broken && path.endsWith('/move') ? refusal(503, 'systemBusy', 'Busy.') : undefined),
    });
    await choose('Picture 1', 'Move down');
    await waitFor(() => expect(names()).toEqual(['Picture 2', 'Picture 1', 'Picture 3']));
    await choose('Picture 1', 'Move down');
    await waitFor(() => expect(names()).toEqual(['Picture 2', 'Picture 3', 'Picture 1']));
    expect(writes(sent, '/move').at(-1)).toEqual({ item: items[0]?.id, before: null });
    broken = true;
    await choose('Picture 1', 'Move to the top');
    await waitFor(() => expect(writes(sent, '/move')).toHaveLength(3));
    await waitFor(() => expect(names()).toEqual(['Picture 2', 'Picture 3', 'Picture 1']));
  });

  it('are removed and brought back, and fill the screen one by one', async () => {
    const { sent } = await showFrame({ items });
    await choose('Picture 2', 'Fill the screen');
    await waitFor(() => expect(writes(sent, '/fit')).toEqual([{ item: items[1]?.id, fit: 'fill' }]));
    await choose('Picture 2', 'Remove from the frame');
    await waitFor(() => expect(names()).toEqual(['Picture 1', 'Picture 3']));
    await press('Undo');
    await waitFor(() => expect(names()).toEqual(['Picture 1', 'Picture 2', 'Picture 3']));
    expect(writes(sent, '/restore')).toEqual([{ items: [items[1]?.id] }]);
  });

  it('tell who sent them, whose permission ends with one choice; and what could not be prepared, why, and where there are more points', async () => {
    const { sent } = await showFrame({
      items: [
        anItem(1, { sender: 'Ken', friend: frameId(31) }),
        anItem(2, { state: 'waiting' }),
        anItem(3, { state: 'failed', failure: { code: 'notEnoughPoints', message: 'You have too few points.' } }),
        anItem(4, { kind: 'album', media_id: null, album_id: frameId(301), quantity: 7, name: 'Summer' }),
      ],
      senders: [
        { friend: frameId(30), name: 'Ken', allowed: true },
        { friend: frameId(31), name: 'Ken', allowed: true },
      ],
    });
    const rows = (await screen.findAllByRole('listitem')).filter((row) => row.hasAttribute('data-item'));
    expect(rows.map((row) => row.textContent)).toEqual([
      'Picture 1From KenNot shown yet',
      'Picture 2Being prepared for this frame',
      'Picture 3You have too few points.',
      'SummerAlbum with 7 picturesNot shown yet',
    ]);
    expect(screen.getByRole('link', { name: 'Buy points' }).getAttribute('href')).toBe('/addValue');
    await press('Try again');
    await waitFor(() => expect(writes(sent, '/retry')).toHaveLength(1));
    await choose('Picture 1', 'Remove and block pictures from Ken');
    await press('Remove and block');
    await screen.findByText('Ken can no longer send pictures to Frame 1.');
    expect(writes(sent, '/senders')).toEqual([{ friend: frameId(31), allowed: false }]);
  });

  it('are none at first, and the next step is offered', async () => {
    await showFrame({});
    await screen.findByRole('heading', { name: 'Nothing on this frame yet' });
    await press('Add pictures');
    await screen.findByRole('dialog', { name: 'Add to Frame 1' });
    await screen.findByText('You have no pictures yet.');
  });
});

describe('showing something on a frame', { timeout: 60_000 }, () => {
  async function show(house: House) {
    const served = serve(house);
    await showPage(
      <LoggedIn>
        <Routes>
          <Route path="/result" element={<ShowOnFrameButton mediaIds={[frameId(201)]} />} />
          <Route path="/menu/frameSetting/:id" element={<FramePage />} />
          <Route path="*" element={<p>another page</p>} />
        </Routes>
      </LoggedIn>,
      '/result',
    );
    await press('Show on frame');
    return { ...served, dialog: await screen.findByRole('dialog', { name: 'Show on frame' }) };
  }
  const added = { frames: [frameId(1)], media_ids: [frameId(201)], album_ids: [] };

  it('takes one click where there is one frame, and tells each step up to the time at which it was shown', async () => {
    const { sent, dialog, house } = await show({
      frames: [aFrame(1, { state: 'downloading', online: true })],
      items: [anItem(1, { state: 'waiting' })],
    });
    await within(dialog).findByText('It is being prepared for the shape of Frame 1.');
    expect(writes(sent, '/showOnFrame')).toEqual([added]);
    house.items = [anItem(1)];
    await within(dialog).findByText('Frame 1 is downloading it.');
    house.frames = [aFrame(1, { state: 'upToDate', online: true })];
    await within(dialog).findByText('It is on Frame 1 and appears when its turn comes.');
    const at = new Date();
    house.items = [anItem(1, { shown_at: at.toISOString() })];
    const time = new Intl.DateTimeFormat('en', { timeStyle: 'short' }).format(at);
    await within(dialog).findByText(
      (text) => text.replaceAll('\u202f', ' ') === `Shown on Frame 1 at ${time.replaceAll('\u202f', ' ')}`,
    );
    expect(dialog.querySelectorAll('[data-done]')).toHaveLength(4);
  });

  it('asks for the frames where there are several, those of friends among them; a failure keeps the choice', async () => {
    let answer: ReturnType<typeof refusal> | undefined = refusal(409, 'frameFull', 'This frame is full.');
    const { sent, dialog } = await show({
      frames: [aFrame(1), aFrame(2)],
      friends: [{ id: frameId(9), name: 'Grandma', owner: 'Ken' }],
      items: [anItem(1)],
      refuse: ({ path }) => (path === '/showOnFrame' ? answer : undefined),
    });
    const choice = async (name: string) => fireEvent.click(await within(dialog).findByRole('checkbox', { name }));
    await choice('Frame 2');
    await choice('Grandma');
    within(dialog).getByText('Frame of Ken');
    await press('Show on 2 frames');
    await within(dialog).findByText('This frame is full.');
    answer = undefined;
    await press('Show on 2 frames');
    await within(dialog).findByText('It was sent to Grandma and appears there soon.');
    await within(dialog).findByText('Frame 2 is offline. It appears as soon as the frame is connected.');
    expect(writes(sent, '/showOnFrame').at(-1)).toEqual({ ...added, frames: [frameId(2), frameId(9)] });
  });

  it('tells how many a frame plays where more are selected, and asks for no frame', async () => {
    const ids = Array.from({ length: LIMITS.frames.items + 1 }, (_, index) => frameId(index));
    serve({ frames: [aFrame(1)] });
    await showPage(
      <LoggedIn>
        <ShowOnFrameButton mediaIds={ids} />
      </LoggedIn>,
    );
    await press('Show on frame');
    await screen.findByText('A frame plays up to 500 items. Select fewer.');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('leads to pairing where there is no frame, and goes on by itself on the frame that was paired', async () => {
    const { sent, dialog } = await show({ frames: [] });
    await within(dialog).findByText(/^You have no frame yet\./);
    fireEvent.click(within(dialog).getByRole('link', { name: 'Pair a frame' }));
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/menu/qrcode'));
    expect(writes(sent, '/showOnFrame')).toEqual([]);
    cleanup();
    const paired = await showFrame({ items: [anItem(1)] });
    await screen.findByRole('dialog', { name: 'Show on frame' });
    await waitFor(() => expect(writes(paired.sent, '/showOnFrame')).toEqual([added]));
    cleanup();
    // Once: the next visit of the page asks for nothing.
    const again = await showFrame({ items: [anItem(1)] });
    await screen.findByText('Picture 1');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(writes(again.sent, '/showOnFrame')).toEqual([]);
  });
});
