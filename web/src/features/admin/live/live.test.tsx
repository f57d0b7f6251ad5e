// @vitest-environment happy-dom
import type { ManagedLiveEvent } from '@framelift/contract';
import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { expect, it } from 'vitest';
import { i18next } from '../../../i18n/index.ts';
import { answerNamed, list, refusal, type SentCall, showPage, success } from '../../../testing/page.tsx';
import { AdminArea } from '../AdminArea.tsx';

configure({ asyncUtilTimeout: 8000 });

const [ID, LEFT, RIGHT] = [1, 2, 3].map((n) => `${n}1111111-1111-4111-8111-111111111111`) as [string, string, string];
const final: ManagedLiveEvent = {
  id: ID,
  title: { en: 'Final', zh: '決賽', ja: '' },
  starts_at: '2026-11-29T10:00:00.000Z',
  ends_at: '2026-11-29T12:00:00.000Z',
  state: 'live',
  is_active: true,
  is_free_view: false,
  product: null,
  cover: null,
  angles: [
    { id: LEFT, name: { en: 'Left', zh: '', ja: '' }, source: 'https://cdn.example/left.m3u8' },
    { id: RIGHT, name: { en: 'Right', zh: '', ja: '' }, source: 'store:live/right' },
  ],
  viewers: 12,
};

async function open(answers: Record<string, (call: SentCall) => ReturnType<typeof success>> = {}) {
  const all: typeof answers = {
    managedLiveEvents: () => list([final]),
    managedProducts: () => list([]),
    liveSettings: () => success({ countries: ['TW'] }),
    setLiveSettings: () => success({ countries: ['TW', 'JP'] }),
    setLiveEvent: () => success(final),
    deleteLiveEvent: () => success({ id: ID }),
    restoreLiveEvent: () => success(final),
    ...answers,
  };
  const sent = answerNamed(all);
  await showPage(
    <Routes>
      <Route path="/admin/*" element={<AdminArea />} />
    </Routes>,
    '/admin/live',
  );
  await i18next.loadNamespaces(['admin', 'adminLive']);
  return sent;
}
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const inputsOf = (sent: readonly SentCall[], path: string) =>
  sent.filter((call) => call.path === path).map(({ input }) => input);
const own = {
  ...{ id: ID, title: final.title, starts_at: final.starts_at, ends_at: final.ends_at },
  ...{ is_active: true, is_free_view: false, product_id: null, angles: final.angles },
};

it('live events are listed with who may watch and who watches, hidden, deleted, and both undone', async () => {
  const sent = await open();
  const row = await screen.findByRole('row', { name: /Final/ });
  for (const text of ['On now', 'Plans with live shows', '2', '12']) expect(within(row).getByText(text)).toBeTruthy();
  await press('Hide Final');
  await screen.findByText('Final is hidden. Nobody can watch it.');
  await press('Undo');
  await waitFor(() => expect(inputsOf(sent, '/setLiveEvent')).toEqual([{ ...own, is_active: false }, own]));
  await press('Delete Final');
  await screen.findByText('Final is deleted.');
  fireEvent.click((await screen.findAllByRole('button', { name: 'Undo' })).at(-1) ?? expect.fail());
  await waitFor(() => expect(inputsOf(sent, '/restoreLiveEvent')).toEqual([{ id: ID }]));
});

it('an event is edited in three languages, with angles that are tried, moved and added; a refusal keeps what was typed', async () => {
  const found = { trouble: null, status: null, variants: 2, has_time: false, segment_seconds: 2 };
  const broken = { trouble: 'refused', status: 403, variants: 0, has_time: false, segment_seconds: 0 };
  const sent = await open({
    checkLiveSource: ({ input }) =>
      success((input as { source: string }).source === 'store:live/right' ? broken : found),
    setLiveEvent: () => refusal(422, 'liveSourceRefused', 'This address is inside a private network.'),
  });
  await press('Edit Final');
  const dialog = within(await screen.findByRole('dialog'));
  const fill = (label: string, value: string, at = 0) => {
    const fields = dialog.getAllByLabelText((text) => text.replace(/ \*$/, '') === label);
    fireEvent.change(fields[at] ?? expect.fail(), { target: { value } });
  };
  fill('Title (日本語)', '決勝');
  fireEvent.click(dialog.getByRole('button', { name: 'Try angle 1' }));
  await dialog.findByText(/It works: 2 qualities, segments of 2 s\. It does not tell the time/);
  fireEvent.click(dialog.getByRole('button', { name: 'Try angle 2' }));
  await dialog.findByText('It does not work: its server answers with error 403.');
  expect(inputsOf(sent, '/checkLiveSource')).toEqual(final.angles.map(({ source }) => ({ source })));
  fireEvent.click(dialog.getByRole('button', { name: 'Move up angle 2' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Add an angle' }));
  // An angle without a name and a stream cannot be saved.
  const save = dialog.getByRole('button', { name: 'Save' });
  expect(save).toHaveProperty('disabled', true);
  fill('Name (English)', 'Sky', 2);
  fill('Stream', 'store:live/sky', 2);
  fireEvent.click(save);
  await dialog.findByText('This address is inside a private network.');
  const angles = [...final.angles].reverse();
  expect(inputsOf(sent, '/setLiveEvent')).toEqual([
    {
      ...own,
      title: { ...final.title, ja: '決勝' },
      angles: [...angles, { id: null, name: { en: 'Sky', zh: '', ja: '' }, source: 'store:live/sky' }],
    },
  ]);
  expect(dialog.getByDisplayValue('Sky')).toBeTruthy();
});

it('the countries are written as people write them', async () => {
  const sent = await open();
  const codes = await screen.findByLabelText('Countries');
  fireEvent.change(codes, { target: { value: 'tw、 jpn' } });
  expect(screen.getByText('Please enter codes of two letters, like TW.')).toBeTruthy();
  fireEvent.change(codes, { target: { value: 'tw, jp' } });
  await press('Save');
  await waitFor(() => expect(inputsOf(sent, '/setLiveSettings')).toEqual([{ countries: ['TW', 'JP'] }]));
});
