// @vitest-environment happy-dom
import type { ManagedOffer, ManagedPlan, ManagedProduct, ManagedStore } from '@framelift/contract';
import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { expect, it } from 'vitest';
import { i18next } from '../../../i18n/index.ts';
import { answerNamed, list, refusal, type SentCall, showPage, success } from '../../../testing/page.tsx';
import { AdminArea } from '../AdminArea.tsx';

configure({ asyncUtilTimeout: 8000 });

const NOTHING = { en: [], zh: [], ja: [] };
const ALBUM = '11111111-1111-4111-8111-111111111111';
const moon: ManagedStore = {
  id: 1,
  name: { en: 'Paper Moon', zh: '紙月亮', ja: '' },
  icon: null,
  position: 0,
  is_active: true,
  products: 1,
};
const lanterns: ManagedProduct = {
  id: 7,
  store: { id: 1, name: moon.name },
  name: { en: 'Lanterns', zh: '', ja: '' },
  content: { en: 'Four evenings.', zh: '', ja: '' },
  is_activated: false,
  has_free: false,
  position: 2,
  album: { id: ALBUM, name: 'Content', ready: 3, waiting: 1 },
  cover: null,
  offers: 1,
  members: 4,
};
const prime: ManagedPlan = {
  id: 3,
  name: { en: 'Prime', zh: '', ja: '' },
  icon: 'prime',
  content: { ...NOTHING, en: ['800 points every month'] },
  points: 800,
  storage_bytes: 50 * 1024 ** 3,
  video_seconds: 3600,
  live: true,
  archived_at: null,
  members: 12,
};
const quarter: ManagedOffer = {
  id: 40,
  kind: 'product',
  product_id: 7,
  plan_id: null,
  points: null,
  name: null,
  icon: '',
  content: NOTHING,
  price_usd: 3000,
  price_twd: null,
  period: 3,
  position: 0,
  archived_at: null,
};

async function open(at: string, answers: Record<string, (call: SentCall) => ReturnType<typeof success>> = {}) {
  const all: typeof answers = {
    managedStores: () => success([moon]),
    managedProducts: () => list([lanterns]),
    managedPlans: () => success([prime]),
    managedOffers: () => list([quarter]),
    albums: () => list([]),
    setStore: () => success(moon),
    setProduct: () => success(lanterns),
    setPlan: () => success(prime),
    setOffer: () => success(quarter),
    archiveOffer: () => success(quarter),
    ...answers,
  };
  const sent = answerNamed(all);
  await showPage(
    <Routes>
      <Route path="/admin/*" element={<AdminArea />} />
    </Routes>,
    at,
  );
  await i18next.loadNamespaces('admin');
  return sent;
}
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
/** A label may end with the mark of a field that is needed. */
const field = async (label: string) =>
  within(await screen.findByRole('dialog')).findByLabelText((text) => text.replace(/ \*$/, '') === label);
const fill = async (label: string, value: string) => fireEvent.change(await field(label), { target: { value } });
const inputsOf = (sent: readonly SentCall[], path: string) =>
  sent.filter((call) => call.path === path).map(({ input }) => input);

it('products are put on show and edited in three languages, and what was changed can be undone', async () => {
  const sent = await open('/admin/stores');
  const row = await screen.findByRole('row', { name: /Lanterns/ });
  expect(within(row).getByText('3, 1 in progress')).toBeTruthy();
  await press('Show Lanterns');
  expect(await screen.findByText('Lanterns is on show.')).toBeTruthy();
  await press('Undo');
  await waitFor(() => expect(inputsOf(sent, '/setProduct')).toHaveLength(2));
  const same = {
    ...{ id: 7, store_id: 1, name: lanterns.name, content: lanterns.content, album_id: ALBUM },
    ...{ has_free: false, position: 2 },
  };
  expect(inputsOf(sent, '/setProduct')).toEqual([
    { ...same, is_activated: true },
    { ...same, is_activated: false },
  ]);

  await press('Edit Lanterns');
  await fill('Name (繁體中文)', '燈籠');
  fireEvent.click(await field('Free'));
  await press('Save');
  await waitFor(() => expect(inputsOf(sent, '/setProduct')).toHaveLength(3));
  expect(inputsOf(sent, '/setProduct')[2]).toEqual({
    ...same,
    name: { ...lanterns.name, zh: '燈籠' },
    has_free: true,
    is_activated: false,
  });
});

it('a store needs an English name; the form keeps what was typed after a refusal', async () => {
  let busy = true;
  const sent = await open('/admin/stores', {
    setStore: () => (busy ? refusal(503, 'systemBusy', 'The system is busy.') : success(moon)),
  });
  await press('New store');
  const save = await screen.findByRole('button', { name: 'Save' });
  expect((save as HTMLButtonElement).disabled).toBe(true);
  await fill('Name (English)', 'Deep Sea');
  fireEvent.click(save);
  expect((await within(await screen.findByRole('dialog')).findByText('The system is busy.')).textContent).toBeTruthy();
  expect(((await field('Name (English)')) as HTMLInputElement).value).toBe('Deep Sea');
  busy = false;
  fireEvent.click(save);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const name = { en: 'Deep Sea', zh: '', ja: '' };
  expect(inputsOf(sent, '/setStore').at(-1)).toEqual({ id: null, name, position: 0, is_active: true });
});

it('plans are edited and archived; their benefits are lines', async () => {
  const sent = await open('/admin/prices');
  await press('Edit Prime');
  await fill('Benefits (English)', '900 points every month\n\n50 GB of storage ');
  await fill('Points every month', '900');
  await press('Save');
  await waitFor(() => expect(inputsOf(sent, '/setPlan')).toHaveLength(1));
  const { archived_at, members, ...same } = prime;
  expect(inputsOf(sent, '/setPlan')[0]).toEqual({
    ...same,
    points: 900,
    content: { ...NOTHING, en: ['900 points every month', '50 GB of storage'] },
    archived: false,
  });
  await press('Archive Prime');
  expect(await screen.findByText('Prime is no longer offered. What was bought stays bought.')).toBeTruthy();
  expect(inputsOf(sent, '/setPlan')[1]).toEqual({ ...same, archived: true });
});

it('offers of products, plans and points get their own price in each currency, in whole dollars of Taiwan', async () => {
  const sent = await open('/admin/prices');
  const row = await screen.findByRole('row', { name: /Lanterns/ });
  expect(within(row).getByText('$30.00')).toBeTruthy();
  await press('New point pack');
  await fill('Name (English)', 'Handful');
  await fill('Points', '250');
  await fill('Price in USD (PayPal)', '4.99');
  await fill('Price in TWD (card)', '150');
  await press('Save');
  await waitFor(() => expect(inputsOf(sent, '/setOffer')).toHaveLength(1));
  expect(inputsOf(sent, '/setOffer')[0]).toEqual({
    ...{ id: null, kind: 'points', points: 250, name: { en: 'Handful', zh: '', ja: '' } },
    ...{ icon: '', content: NOTHING, price_usd: 499, price_twd: 15_000, position: 0 },
  });
  await press('Archive Lanterns, $30.00');
  await waitFor(() => expect(inputsOf(sent, '/archiveOffer')).toEqual([{ id: 40, archived: true }]));
});

it('a store has one icon: choosing another picture takes the place of the first', async () => {
  const picture = (id: string, name: string) => ({ id, name, cover: null });
  const second = '22222222-2222-4222-8222-222222222222';
  const sent = await open('/admin/stores', { videos: () => list([picture(ALBUM, 'Moon'), picture(second, 'Sun')]) });
  await press('Edit Paper Moon');
  await press('Choose icon');
  const choice = (name: string) => screen.findByRole('checkbox', { name });
  fireEvent.click(await choice('Moon'));
  fireEvent.click(await choice('Sun'));
  expect((await choice('Moon')).getAttribute('aria-checked')).toBe('false');
  await press('Use as icon');
  expect(await screen.findByText('A new icon is chosen.')).toBeTruthy();
  await press('Save');
  await waitFor(() => expect(inputsOf(sent, '/setStore')).toMatchObject([{ icon_media: second }]));
});
