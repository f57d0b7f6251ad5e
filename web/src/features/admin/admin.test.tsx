// @vitest-environment happy-dom
import {
  type AuditEntry,
  featurePreset,
  type ManagedDeviceType,
  type MemberDetail,
  type PinCodeBatch,
  type SiteSettings,
} from '@framelift/contract';
import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { expect, it } from 'vitest';
import { i18next } from '../../i18n/index.ts';
import { answerNamed, list, refusal, type SentCall, showPage, success } from '../../testing/page.tsx';
import { AlertHost } from '../../ui/AlertHost.tsx';
import { AdminArea } from './AdminArea.tsx';

// Each page is a separate chunk, which the first test that opens it waits for.
configure({ asyncUtilTimeout: 5_000 });

const MEMBER: MemberDetail = {
  id: '11111111-1111-4111-8111-111111111111',
  name: 'Mia',
  email: 'mia@example.com',
  createdAt: '2026-01-02T03:04:05.000Z',
  lastSeenAt: null,
  isConfirmed: true,
  isRestricted: false,
  isSuspended: false,
  isAdmin: false,
  VIP: false,
  deletionAt: null,
  phone: '',
  language: 'en',
  points: 12,
  freePoints: 3,
  myPlan: { plan: { id: 1, icon: '', name: '' } },
  confirmedAt: '2026-01-02T03:04:05.000Z',
  restrictedAt: null,
  vipUntil: null,
  sessions: [],
  uploads: { pictures: 4, films: 1, converting: 0, failed: 0 },
  storedBytes: 5_242_880,
};
const {
  phone,
  language,
  points,
  freePoints,
  myPlan,
  confirmedAt,
  restrictedAt,
  vipUntil,
  sessions,
  uploads,
  storedBytes,
  ...ROW
} = MEMBER;
const BATCH: PinCodeBatch = {
  id: '22222222-2222-4222-8222-222222222222',
  name: 'Fair',
  days: 30,
  createdAt: '2026-01-02T03:04:05.000Z',
  madeBy: 'Boss',
  expiresAt: null,
  revokedAt: null,
  count: 10,
  redeemed: 4,
};
const SETTINGS: SiteSettings = {
  maintenance: { on: false, from: '2099-01-02T00:00:00.000Z', to: '2099-01-03T00:00:00.000Z' },
  announcement: null,
  features: featurePreset('full'),
  storage: { limit: null, builtin: 5_368_709_120 },
};
const ENTRY: AuditEntry = {
  id: '33333333-3333-4333-8333-333333333333',
  at: '2026-01-02T03:04:05.000Z',
  action: 'user.restricted',
  by: { id: '44444444-4444-4444-8444-444444444444', name: 'Boss' },
  subject: { id: MEMBER.id, name: 'Mia', email: 'mia@example.com' },
  target: null,
  before: { restricted: false },
  after: { restricted: true, reason: 'shared' },
  address: '192.0.2.7',
};

type Answers = Record<string, (call: SentCall) => ReturnType<typeof success>>;

/** Opens a page of /admin; `answers` are keyed by the first part of the path. */
async function open(at: string, answers: Answers): Promise<SentCall[]> {
  const sent = answerNamed(answers);
  await showPage(
    <>
      <Routes>
        <Route path="/admin/*" element={<AdminArea />} />
      </Routes>
      <AlertHost />
    </>,
    at,
  );
  await i18next.loadNamespaces('admin');
  return sent;
}
const changes = (sent: SentCall[]) =>
  sent.filter(({ method }) => method !== 'GET').map(({ path, input }) => [path.slice(1), input]);
const button = (name: string | RegExp) => screen.findByRole('button', { name });
/** Clicks "Undo" in the toast with this text; a toast of an earlier test may still be visible. */
async function undo(said: string): Promise<void> {
  await screen.findByText(said);
  fireEvent.click(await button('Undo'));
  await screen.findByText('The change was undone.');
}
const press = async (name: string | RegExp) => fireEvent.click(await button(name));

it('leads to its pages and says where one is', async () => {
  await open('/admin/log', { auditLog: () => list([]) });
  const nav = within(await screen.findByRole('navigation', { name: 'Administration' }));
  expect(nav.getAllByRole('link').map((link) => link.textContent)).toEqual([
    'Overview',
    'Members',
    'Serial codes',
    'Orders',
    'Frame types',
    'Points and ads',
    'Paired frames',
    'Stores',
    'Plans and prices',
    'Payments',
    'Subscrip\u00adtions',
    'Notifi\u00adcations',
    'Live events',
    'Legal texts',
    'Questions',
    'Locations',
    'Storage',
    'Settings',
    'Log',
  ]);
  expect(nav.getByRole('link', { current: 'page' }).textContent).toBe('Log');
  expect(await screen.findByText('No entries yet.')).toBeTruthy();
});

it('finds members by what is typed and by marks, both kept in the address', async () => {
  const sent = await open('/admin/users?vip=1', { users: () => list([{ ...ROW, VIP: true, isRestricted: true }]) });
  const row = within(await screen.findByRole('row', { name: /Mia/ }));
  expect(row.getByText('mia@example.com')).toBeTruthy();
  expect(row.getByText('Restricted')).toBeTruthy();
  expect((await button('VIP')).getAttribute('aria-pressed')).toBe('true');
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: ' mia ' } });
  await press('Search');
  await press('Not confirmed');
  await press('VIP');
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/admin/users?q=mia&unconfirmed=1'));
  await waitFor(() => expect(sent.at(-1)?.path).toBe('/users?q=mia&confirmed=no'));
  expect(screen.getByRole('link', { name: 'Download CSV' }).getAttribute('href')).toBe(
    '/api/usersCsv?q=mia&confirmed=no',
  );
});

it('shows more members when asked, each leading to a page of its own', async () => {
  const second = { ...ROW, id: BATCH.id, name: 'Zoe' };
  await open('/admin/users', {
    users: ({ path }) => {
      if (path.startsWith('/users/')) return success({ ...MEMBER, ...second });
      return path.includes('page=') ? list([second]) : list([ROW], '/api/users?page=abc');
    },
  });
  await press('Show more');
  expect(await screen.findByRole('row', { name: /Zoe/ })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  fireEvent.click(screen.getByRole('link', { name: 'Zoe' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Zoe' })).toBeTruthy();
  expect(screen.getByTestId('address').textContent).toBe(`/admin/users/${second.id}`);
});

const userPage: Answers = {
  users: () => success(MEMBER),
  auditLog: () => list([ENTRY]),
  setUserRestricted: () => success(MEMBER),
  setUserVip: () => success(MEMBER),
  setUserAdmin: () => success(MEMBER),
  setUserConfirmed: () => success(MEMBER),
  signOutUser: () => success({ ended: 1 }),
};
const openUser = (answers: Answers = {}) => open(`/admin/users/${MEMBER.id}`, { ...userPage, ...answers });

it('shows what is known of a member and what was done to them', async () => {
  await openUser();
  expect(await screen.findByRole('heading', { level: 1, name: 'Mia' })).toBeTruthy();
  expect(screen.getByText('Stored').nextElementSibling?.textContent).toBe('5 MB');
  expect(screen.queryByText('Phone')).toBeNull();
  const line = within(await screen.findByRole('row', { name: /Restriction/ }));
  expect(line.getByText(/Restricted:/).textContent).toBe('Restricted: no → yes');
  expect(line.getByText(/Reason:/).textContent).toBe('Reason: shared');
  expect(line.getByText('192.0.2.7')).toBeTruthy();
});

it('says that a member is not there', async () => {
  await open(`/admin/users/${MEMBER.id}`, {
    users: () => refusal(404, 'userNotFound', 'This member was not found. The account may have been deleted.'),
  });
  expect(await screen.findByText('This member was not found. The account may have been deleted.')).toBeTruthy();
});

it('restricts a member with a reason, after asking, and undoes it', async () => {
  const sent = await openUser();
  await press('Restrict');
  fireEvent.change(await screen.findByLabelText('Reason, for the log'), { target: { value: 'spam' } });
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Restrict' }));
  await undo('Mia is restricted.');
  expect(changes(sent)).toEqual([
    ['setUserRestricted', { id: MEMBER.id, restricted: true, reason: 'spam' }],
    ['setUserRestricted', { id: MEMBER.id, restricted: false }],
  ]);
});

it('makes an administrator with the password of the one who does it; a wrong one keeps the dialog', async () => {
  const wrong = refusal(422, 'passwordIncorrect', 'The password is not right.');
  const sent = await openUser({
    setUserAdmin: ({ input }) => ((input as { password: string }).password === 'Mine-123' ? success(MEMBER) : wrong),
  });
  await press('Make an administrator');
  const dialog = within(await screen.findByRole('dialog'));
  const send = () => dialog.getByRole('button', { name: 'Make an administrator' });
  expect(send()).toHaveProperty('disabled', true);
  fireEvent.change(dialog.getByLabelText('Your own password'), { target: { value: 'Wrong-123' } });
  fireEvent.click(send());
  expect(await screen.findByText('The password is not right.')).toBeTruthy();
  fireEvent.change(dialog.getByLabelText('Your own password'), { target: { value: 'Mine-123' } });
  fireEvent.click(send());
  expect(await screen.findByText('Mia is an administrator.')).toBeTruthy();
  expect(changes(sent).at(-1)).toEqual(['setUserAdmin', { id: MEMBER.id, admin: true, password: 'Mine-123' }]);
});

it('offers neither restriction nor unconfirming of an administrator', async () => {
  await openUser({ users: () => success({ ...MEMBER, isAdmin: true }) });
  expect(await screen.findByText(/Administrators cannot be restricted/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Restrict' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Undo the confirmation' })).toBeNull();
});

it('gives VIP until the end of a day, and takes it away with undo', async () => {
  const until = '2030-05-01T00:00:00.000Z';
  const sent = await openUser({ users: () => success({ ...MEMBER, VIP: true, vipUntil: until }) });
  await press('Remove VIP');
  await undo('Mia is no longer a VIP.');
  expect(changes(sent)).toEqual([
    ['setUserVip', { id: MEMBER.id, vip: false, until: null }],
    ['setUserVip', { id: MEMBER.id, vip: true, until }],
  ]);
});

it('shows new codes once, with their CSV, and revokes the unused ones of a batch with undo', async () => {
  const sent = await open('/admin/pin-codes', {
    pinCodeBatches: () => list([BATCH]),
    createPinCodes: () => success({ batch: BATCH, codes: ['AAAA-BBBB-CCCC-DDDD'], csv: 'code\r\n' }),
    setPinCodesRevoked: () => success(BATCH),
  });
  expect(within(await screen.findByRole('row', { name: /Fair/ })).getByText('4 of 10')).toBeTruthy();
  await press('New batch');
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Fair' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Create codes' }));
  expect(await screen.findByText('AAAA-BBBB-CCCC-DDDD')).toBeTruthy();
  const csv = await dialog.findByRole('link', { name: 'Download CSV' });
  expect(csv.getAttribute('download')).toBe('framelift-codes-2026-01-02.csv');
  fireEvent.click(dialog.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByText('AAAA-BBBB-CCCC-DDDD')).toBeNull());
  await press('Revoke the unused codes of Fair');
  await undo('The unused codes of Fair were revoked.');
  expect(changes(sent)).toEqual([
    ['createPinCodes', { name: 'Fair', count: 10, days: null, expires_at: null }],
    ['setPinCodesRevoked', { id: BATCH.id, revoked: true }],
    ['setPinCodesRevoked', { id: BATCH.id, revoked: false }],
  ]);
});

it('switches maintenance on only after asking, features at once, both with undo', async () => {
  const sent = await open('/admin/settings', {
    siteSettings: () => success(SETTINGS),
    setMaintenance: () => success(SETTINGS.maintenance),
    setFeatures: () => success(SETTINGS.features),
  });
  await press('Turn on');
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('button', { name: 'Turn on' }));
  await undo('Maintenance is on.');
  expect(changes(sent)).toEqual([
    ['setMaintenance', { ...SETTINGS.maintenance, on: true }],
    ['setMaintenance', SETTINGS.maintenance],
  ]);
  fireEvent.change(await screen.findByLabelText('Store'), { target: { value: 'off' } });
  await undo('Store: Off');
  expect(changes(sent).slice(2)).toEqual([
    ['setFeatures', { features: { store: 'off' } }],
    ['setFeatures', { features: SETTINGS.features }],
  ]);
});

it('proposes no times for a maintenance that is over or was never planned [U21]', async () => {
  const maintenance = { on: false, from: '2024-10-15T00:00:00+08:00', to: '2024-10-16T10:00:00+08:00' };
  await open('/admin/settings', { siteSettings: () => success({ ...SETTINGS, maintenance }) });
  expect(await button('Turn on')).toHaveProperty('disabled', true);
  const times = [...document.querySelectorAll<HTMLInputElement>('input[type="datetime-local"]')];
  expect(times.slice(0, 2).map(({ value }) => value)).toEqual(['', '']);
});

it('puts an announcement up when it is written in each language and ends after it begins', async () => {
  const sent = await open('/admin/settings', {
    siteSettings: () => success(SETTINGS),
    setAnnouncement: () => success({ announcement: null }),
  });
  const put = await button('Publish');
  expect(put).toHaveProperty('disabled', true);
  for (const [name, text] of [
    ['繁體中文', '新'],
    ['English', 'New'],
    ['日本語', '新着'],
  ] as const)
    fireEvent.change(screen.getByLabelText(name), { target: { value: text } });
  expect(within(screen.getByRole('region', { name: 'Preview' })).getByText('New')).toBeTruthy();
  const ends = screen.getAllByLabelText('To')[1] as HTMLInputElement;
  const end = ends.value;
  fireEvent.change(ends, { target: { value: '2020-01-01T00:00' } });
  expect(screen.getByText('The end must be after the start.')).toBeTruthy();
  fireEvent.change(ends, { target: { value: end } });
  fireEvent.click(put);
  expect(await screen.findByText('The announcement is saved.')).toBeTruthy();
  expect(changes(sent)).toMatchObject([
    ['setAnnouncement', { announcement: { text: { zh: '新', en: 'New', ja: '新着' } } }],
  ]);
});

it('sends a notification to one member, and withdraws it with a way back', async () => {
  const notice = {
    ...{ id: BATCH.id, audience: 'one', kind: 'info', title: { en: 'Hello', zh: '', ja: '' }, link: null },
    ...{
      content: { en: '', zh: '', ja: '' },
      release_at: '2026-01-02T03:04:05.000Z',
      sent: 1,
      read: 0,
      withdrawn: false,
    },
    member: { id: MEMBER.id, name: 'Mia', email: 'mia@example.com' },
  };
  let failing = true;
  const sent = await open('/admin/notifications', {
    managedNotifications: () => list([notice]),
    sendNotification: () => (failing ? refusal(404, 'userNotFound', 'No such member') : success({ sent: 1 })),
    setNotificationWithdrawn: () => success({ withdrawn: true }),
  });
  await screen.findByRole('row', { name: /Hello mia@example.com/ });
  await press('Send notification');
  const dialog = within(await screen.findByRole('dialog', { name: 'Send notification' }));
  const put = dialog.getByRole('button', { name: 'Send notification' });
  expect(put).toHaveProperty('disabled', true);
  fireEvent.change(dialog.getByLabelText('To'), { target: { value: 'one' } });
  fireEvent.change(dialog.getByLabelText(/E-mail address/), { target: { value: 'mia@example.com' } });
  const english = within(dialog.getByRole('group', { name: 'English' }));
  fireEvent.change(english.getByLabelText(/Title/), { target: { value: 'Hello' } });
  // What each language shows: one without a text has the English one.
  const chinese = within(dialog.getByRole('group', { name: '繁體中文' }));
  fireEvent.change(chinese.getByLabelText(/Title/), { target: { value: '您好' } });
  const preview = within(dialog.getByRole('region', { name: 'Preview' }));
  expect([preview.getAllByText('Hello').length, preview.getAllByText('您好').length]).toEqual([2, 1]);
  fireEvent.change(chinese.getByLabelText(/Title/), { target: { value: '' } });
  fireEvent.change(dialog.getByLabelText('Page to open'), { target: { value: 'https://evil.example' } });
  expect(dialog.getByText(/begins with one slash/)).toBeTruthy();
  expect(put).toHaveProperty('disabled', true);
  fireEvent.change(dialog.getByLabelText('Page to open'), { target: { value: '/store' } });
  fireEvent.click(put);
  // The text is kept, and a second try is the same notification.
  await dialog.findByText('No such member');
  failing = false;
  fireEvent.click(put);
  await screen.findByText('Sent to 1 member.');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const [first, second] = changes(sent);
  expect(first).toEqual(second);
  expect(first?.[1]).toMatchObject({
    audience: 'one',
    email: 'mia@example.com',
    title: { en: 'Hello' },
    link: '/store',
  });
  await press('Withdraw: Hello');
  await undo('The notification is withdrawn.');
  expect(changes(sent).slice(2)).toEqual([
    ['setNotificationWithdrawn', { id: BATCH.id, withdrawn: true }],
    ['setNotificationWithdrawn', { id: BATCH.id, withdrawn: false }],
  ]);
});

it('filters the log by what was done and when, in the address', async () => {
  const sent = await open('/admin/log', { auditLog: () => list([ENTRY]) });
  await screen.findByRole('row', { name: /Restriction/ });
  fireEvent.change(screen.getByLabelText('What'), { target: { value: 'user.restricted' } });
  fireEvent.change(screen.getByLabelText('Last day'), { target: { value: '2026-01-31' } });
  await waitFor(() =>
    expect(screen.getByTestId('address').textContent).toBe('/admin/log?what=user.restricted&until=2026-01-31'),
  );
  // The last day is included completely.
  const to = new Date(2026, 1, 1).toISOString();
  await waitFor(() =>
    expect(decodeURIComponent(sent.at(-1)?.path ?? '')).toBe(`/auditLog?action=user.restricted&to=${to}`),
  );
});

const DEVICE: ManagedDeviceType = {
  id: 7,
  name: 'Shop window',
  note: '',
  ratio: '3,4',
  extendResolution: '2048,1536',
  is_actived: true,
  format: 'quilt',
  quilt: { columns: 8, rows: 6, width: 3360, height: 3360 },
  disparityBudget: 12,
  media: 3,
};
const { media: _media, ...DEVICE_INPUT } = DEVICE;

it('deactivates a type of frame, and takes it back', async () => {
  const sent = await open('/admin/device-types', {
    managedDeviceTypes: () => success([DEVICE]),
    setDeviceType: ({ input }) => success({ ...(input as object), media: 3 }),
  });
  await press('Deactivate Shop window');
  await undo('Shop window can no longer be chosen.');
  expect(changes(sent)).toEqual([
    ['setDeviceType', { ...DEVICE_INPUT, is_actived: false }],
    ['setDeviceType', DEVICE_INPUT],
  ]);
});

it('explains a grid that does not divide, refuses a panel of another shape, and keeps what is typed', async () => {
  const sent = await open('/admin/device-types', {
    managedDeviceTypes: () => success([DEVICE]),
    setDeviceType: () => refusal(422, 'unknownDeviceType', 'It is gone.'),
  });
  await press('Edit Shop window');
  const dialog = within(await screen.findByRole('dialog', { name: 'Shop window' }));
  const type = (label: string, value: string) => fireEvent.change(dialog.getByLabelText(label), { target: { value } });
  const save = dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  expect(dialog.getByText('48 views, without unused pixels.')).toBeTruthy();
  type('Columns', '9');
  expect(dialog.getByText(/3 pixels at the right and 0 at the top stay unused/)).toBeTruthy();
  type('Panel width in pixels', '4096');
  expect(dialog.getByText('The panel does not have this ratio.')).toBeTruthy();
  expect(save.disabled).toBe(true);
  type('Panel width in pixels', '1536');
  fireEvent.click(save);
  await dialog.findByText('It is gone.');
  expect(dialog.getByLabelText<HTMLInputElement>('Columns').value).toBe('9');
  expect(changes(sent)).toEqual([
    ['setDeviceType', { ...DEVICE_INPUT, quilt: { columns: 9, rows: 6, width: 3360, height: 3360 } }],
  ]);
});

it('limits what a member may store, in MB, and takes it back', async () => {
  const member = { id: MEMBER.id, name: 'Mia', email: 'mia@example.com', used: 1_048_576, limit: 5_368_709_120 };
  const sent = await open('/admin/storage', {
    siteSettings: () => success(SETTINGS),
    storageUse: () => success([{ ...member, ownLimit: null }]),
    setUserStorage: () => success({ ...member, ownLimit: null }),
  });
  await press('Change the storage limit of Mia');
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByLabelText('Limit in MB'), { target: { value: '100' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await undo('The limit of Mia is saved.');
  expect(changes(sent)).toEqual([
    ['setUserStorage', { id: MEMBER.id, limit: 104_857_600 }],
    ['setUserStorage', { id: MEMBER.id, limit: null }],
  ]);
});

it('lists the orders of all members, of one type, and offers to add pictures only to those on site', async () => {
  const one = (type: number, name: string, media: number) => ({
    id: `55555555-5555-4555-8555-55555555555${type}`,
    name,
    type,
    createdAt: '2026-01-02T03:04:05.000Z',
    member: { id: MEMBER.id, name: 'Mia', email: 'mia@example.com' },
    media,
    finished: 0,
  });
  const orders = [one(0, 'beach.jpg', 1), one(1, 'Fair', 2), one(2, '500 points', 0)];
  const kinds = ['uploaded', 'onSite', 'purchased'];
  await open('/admin/orders', {
    managedOrders: ({ path }) => {
      const kind = new URL(path, location.href).searchParams.get('kind');
      return list(orders.filter(({ type }) => kind === null || type === kinds.indexOf(kind)));
    },
  });
  const row = (name: RegExp) => screen.findByRole('row', { name });
  expect((await row(/beach/)).textContent).toContain('Upload0 of 1 converted');
  expect((await row(/Fair/)).textContent).toContain('On-site shooting0 of 2 converted');
  expect((await row(/500 points/)).textContent).toContain('Purchase–');
  expect(screen.getAllByRole('button', { name: /^Add pictures to/ })).toHaveLength(1);
  fireEvent.change(screen.getByLabelText('Type'), { target: { value: 'purchased' } });
  await waitFor(() => expect(screen.queryByRole('row', { name: /beach/ })).toBeNull());
  await row(/500 points/);
});

it('sends pictures taken on site for a member; one that fails stays chosen, with the reason', async () => {
  const order = {
    id: '55555555-5555-4555-8555-555555555555',
    name: 'Fair',
    type: 1,
    createdAt: '2026-01-02T03:04:05.000Z',
    member: { id: MEMBER.id, name: 'Mia', email: 'mia@example.com' },
    media: 0,
    finished: 0,
  };
  const fails = new Set(['broken.jpg']);
  const sent = await open('/admin/orders', {
    managedOrders: () => list([]),
    createOnSiteOrder: () => success(order),
    getDeviceType: () => success([DEVICE]),
    effect_params: () =>
      list([{ id: 12, effect: '100%', device_type_id: 7, media_type: 1, is_activated: true, vip_required: false }]),
    requestOnSiteUpload: ({ input }) =>
      fails.has((input as { originalDetails: { name: string } }).originalDetails.name)
        ? refusal(422, 'invalidExtension', 'Not a picture.')
        : success({
            media_id: MEMBER.id,
            original: '/files/x',
            cover: null,
            obj: null,
            headers: {},
            parts: [],
            expires_at: order.createdAt,
          }),
    files: () => success({}),
    finishOnSiteUpload: () => success({ ...order, media: 1 }),
  });
  await press('New on-site order');
  fireEvent.change(await screen.findByLabelText('Member’s e-mail'), { target: { value: 'mia@example.com' } });
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Fair' } });
  await press('Continue');
  await screen.findByText('For Mia (mia@example.com)');
  await screen.findByRole('option', { name: '100%' });
  const input = document.querySelector<HTMLInputElement>('input[type="file"]') ?? expect.fail('no field for files');
  const files = ['stage.jpg', 'broken.jpg'].map((name) => new File(['x'], name, { type: 'image/jpeg' }));
  fireEvent.change(input, { target: { files } });
  await press('Send');
  await screen.findByText('broken.jpg: Not a picture.');
  fails.clear();
  await press('Send these again');
  await screen.findByText('1 file is with Mia.');
  const asked = changes(sent).filter(([path]) => path === 'requestOnSiteUpload');
  expect(asked.map(([, given]) => (given as { originalDetails: { name: string } }).originalDetails.name)).toEqual([
    'stage.jpg',
    'broken.jpg',
    'broken.jpg',
  ]);
  expect(asked[0]?.[1]).toMatchObject({ order_id: order.id, deviceType: 7, media_type: 1, effect_param_id: 12 });
});

it('sets what conversions cost, for all frame types and for one, keeps the form after a refusal, and takes it back', async () => {
  let prices = [{ device_type_id: null as number | null, media_type: 1, points: 3 }];
  let refused = true;
  const sent = await open('/admin/points', {
    adSettings: () => success({ provider: 'house', adUnitPath: null, reward: 1, limit: 4 }),
    managedDeviceTypes: () => success([DEVICE]),
    conversionPrices: () => success(prices),
    setConversionPrice: ({ input }) => {
      if (refused) return refusal(503, 'systemBusy', 'The system is busy.');
      const { points: price, ...key } = input as (typeof prices)[number] & { points: number | null };
      prices = [
        ...prices.filter((one) => one.device_type_id !== key.device_type_id || one.media_type !== key.media_type),
        ...(price === null ? [] : [{ ...key, points: price }]),
      ];
      return success(prices);
    },
  });
  const row = (name: RegExp) => screen.findByRole('row', { name });
  expect((await row(/^All other frame types/)).textContent).toContain('All other frame types3Free');
  const own = (text: string) => waitFor(async () => expect((await row(/^Shop window/)).textContent).toContain(text));
  await own('Shop windowAs all othersAs all others');
  await press('Change the prices of Shop window');
  const dialog = within(await screen.findByRole('dialog', { name: 'Change the prices of Shop window' }));
  fireEvent.change(dialog.getByLabelText('Points for a video'), { target: { value: '20' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('The system is busy.')).toBeTruthy();
  expect(dialog.getByLabelText('Points for a video')).toHaveProperty('value', '20');
  refused = false;
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await own('Shop windowAs all others20');
  await undo('The prices of Shop window are saved.');
  await own('Shop windowAs all othersAs all others');
  const change = { device_type_id: DEVICE.id, media_type: 0 };
  expect(changes(sent)).toEqual([
    ['setConversionPrice', { ...change, points: 20 }],
    ['setConversionPrice', { ...change, points: 20 }],
    ['setConversionPrice', { ...change, points: null }],
  ]);
});

it('sets which ads are shown and how many a day; a slot of Google needs its path', async () => {
  let settings: object = { provider: 'house', adUnitPath: null, reward: 1, limit: 4 };
  const sent = await open('/admin/points', {
    adSettings: () => success(settings),
    managedDeviceTypes: () => success([]),
    conversionPrices: () => success([]),
    setAdSettings: ({ input }) => {
      settings = input as object;
      return success(settings);
    },
  });
  const panel = within(await screen.findByRole('region', { name: 'Rewarded ads' }));
  const perDay = await panel.findByLabelText('Ads per member and day');
  expect(perDay).toHaveProperty('value', '5');
  fireEvent.change(perDay, { target: { value: '3' } });
  fireEvent.change(panel.getByLabelText('Which ads'), { target: { value: 'gpt' } });
  const save = () => panel.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  expect(save().disabled).toBe(true);
  fireEvent.change(panel.getByLabelText('Ad unit path'), { target: { value: 'rewarded' } });
  expect(panel.getByText('A path such as /12345/rewarded, from Google Ad Manager.')).toBeTruthy();
  fireEvent.change(panel.getByLabelText('Ad unit path'), { target: { value: '/12345/rewarded' } });
  fireEvent.click(save());
  await undo('The ad settings are saved.');
  expect(changes(sent)).toEqual([
    ['setAdSettings', { provider: 'gpt', adUnitPath: '/12345/rewarded', reward: 1, limit: 2 }],
    ['setAdSettings', { provider: 'house', adUnitPath: null, reward: 1, limit: 4 }],
  ]);
});

it('corrects the points of a member for a reason, keeps the form after a refusal, and takes it back by another entry', async () => {
  let refused = true;
  const entry = {
    id: '55555555-5555-4555-8555-555555555555',
    kind: 'freePoints',
    amount: -2,
    balance: 3,
    reason: 'conversion',
    title: 'Conversion',
    note: 'beach.jpg',
    date: '2026-01-02T03:04:05.000Z',
  };
  const sent = await open(`/admin/users/${MEMBER.id}`, {
    users: ({ path }) => (path.includes('pointEntries') ? list([entry]) : success(MEMBER)),
    auditLog: () => list([]),
    correctPoints: () => {
      if (!refused) return success({ points: 7, freePoints: 3 });
      refused = false;
      return refusal(402, 'notEnoughPoints', 'There are too few.');
    },
  });
  const row = await screen.findByRole('row', { name: /beach\.jpg/ });
  expect(row.textContent).toContain('Free points−23');
  await press('Correct points');
  const dialog = within(await screen.findByRole('dialog', { name: 'Correct the points of Mia' }));
  const send = () => dialog.getByRole<HTMLButtonElement>('button', { name: 'Correct points' });
  fireEvent.change(dialog.getByLabelText('Amount'), { target: { value: '-5' } });
  expect(send().disabled).toBe(true);
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Counted twice' } });
  fireEvent.click(send());
  expect((await dialog.findAllByText('There are too few.')).length).toBeGreaterThan(0);
  fireEvent.click(send());
  await undo('The points of Mia are corrected.');
  const calls = changes(sent).map(([, input]) => input as Record<string, unknown>);
  expect(calls.map(({ kind, amount, note }) => [kind, amount, note])).toEqual([
    ['points', -5, 'Counted twice'],
    ['points', -5, 'Counted twice'],
    ['points', 5, 'Undone'],
  ]);
  expect(calls[0]?.['id']).toBe(calls[1]?.['id']);
  expect(calls[2]?.['id']).not.toBe(calls[0]?.['id']);
});
