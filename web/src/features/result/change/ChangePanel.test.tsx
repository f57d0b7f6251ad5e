// @vitest-environment happy-dom
import type { MediaDetail } from '@framelift/contract';
import type { LoadedParts } from '@framelift/engine/webgl';
import { cleanup, configure, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { i18next } from '../../../i18n/index.ts';
import { answerCalls, type SentCall, showPage, success } from '../../../testing/page.tsx';
import { ChangePanel } from './ChangePanel.tsx';
import { useDraft } from './use-draft.ts';

configure({ asyncUtilTimeout: 8000 });

const offered = [0, 50, 100].map((percent, id) => ({
  id,
  effect: `${percent}%`,
  device_type_id: id === 0 ? null : 8,
  media_type: id === 0 ? null : 1,
  is_activated: true,
  vip_required: false,
}));
const media = {
  id: '0b7e3c52-6c7e-4c58-9d6c-70c2b2f3f3aa',
  name: 'shop.jpg',
  media_type: 1,
  device_type_id: 8,
  effect: 50,
  convergence: null,
  strokes: 0,
  betterDepth: false,
  canUndo: false,
  canRedo: false,
  crop: { x: 0, y: 0, width: 900, height: 1600 },
  source: { width: 1200, height: 1600 },
  preview: { colour: 'a', depth: 'b', background: 'c', backgroundDepth: 'd' },
  picture: null,
  whole: 'e',
  deviceType: { id: 8, name: 'Phone with two views', ratio: '9,16', format: 'sbs', disparityBudget: 3 },
} as unknown as MediaDetail;
/** A near square on a far background: all that the panel reads of a preview. */
const parts = {
  depth: {
    width: 36,
    height: 64,
    data: Uint8Array.from({ length: 36 * 64 }, (_, i) =>
      i % 36 > 10 && i % 36 < 26 && i > 36 * 20 && i < 36 * 44 ? 255 : 0,
    ),
  },
} as unknown as LoadedParts;

let sent: SentCall[] = [];
const edited: string[] = [];

function Panel({ shown }: { shown: MediaDetail }) {
  const draft = useDraft(shown, parts);
  return <ChangePanel media={shown} draft={draft} onEdit={(what) => edited.push(what)} />;
}

async function show(change: Partial<MediaDetail> = {}): Promise<void> {
  const shown = { ...media, ...change };
  sent = answerCalls(({ path }) =>
    path.startsWith('/effect_params')
      ? { body: { success: true, data: offered, meta: { hasNext: false }, links: { self: '', next: null } } }
      : success(shown),
  );
  await showPage(<Panel shown={shown} />);
  await i18next.loadNamespaces('edit');
  await screen.findByRole('slider', { name: '3D strength' });
}

const changes = () => sent.filter(({ method }) => method === 'POST').map(({ path, input }) => [path, input]);

it('asks for nothing until something is changed, then for what was changed alone', async () => {
  await show();
  expect(screen.queryByRole('button', { name: 'Convert with these changes' })).toBeNull();

  fireEvent.keyDown(screen.getByRole('slider', { name: '3D strength' }), { key: 'End' });
  fireEvent.click(await screen.findByRole('button', { name: 'Convert with these changes' }));
  await waitFor(() => expect(changes()).toEqual([[`/media/${media.id}/change`, { effect_param_id: 2 }]]));
});

it('chooses the plane of the frame and gives it back to the subject', async () => {
  await show({ convergence: 0.2 });
  const plane = screen.getByRole('slider', { name: 'Focus plane' });
  expect(plane.getAttribute('aria-valuenow')).toBe('0.2');
  fireEvent.click(screen.getByRole('button', { name: 'Choose from the subject' }));
  expect(screen.getByText('The subject')).toBeTruthy();
  fireEvent.click(await screen.findByRole('button', { name: 'Convert with these changes' }));
  await waitFor(() => expect(changes()).toEqual([[`/media/${media.id}/change`, { convergence: null }]]));
});

it('warns where the wish is above what the frame shows comfortably, and only there [V52]', async () => {
  await show();
  expect(screen.getByText(/Comfortable to look at/).textContent).toContain('1.8%');
  fireEvent.keyDown(screen.getByRole('slider', { name: '3D strength' }), { key: 'End' });
  const warning = await screen.findByText(/is more than Phone with two views can show/);
  expect(warning.textContent).toContain('3.6%');
  expect(warning.textContent).toContain('limited to 3%');
});

it('can leave everything as it was', async () => {
  await show();
  fireEvent.keyDown(screen.getByRole('slider', { name: '3D strength' }), { key: 'Home' });
  fireEvent.click(await screen.findByRole('button', { name: 'Discard changes' }));
  expect(screen.queryByRole('button', { name: 'Convert with these changes' })).toBeNull();
  expect(changes()).toEqual([]);
});

it('takes the last change back and makes it again, where there is one', async () => {
  await show({ canUndo: true });
  expect(screen.getByRole('button', { name: 'Redo the change' })).toHaveProperty('disabled', true);
  fireEvent.click(screen.getByRole('button', { name: 'Undo the last change' }));
  await waitFor(() => expect(changes()).toEqual([[`/media/${media.id}/undo`, {}]]));
});

it('opens the editors of crop and depth, the latter for pictures with depth only', async () => {
  await show();
  fireEvent.click(screen.getByRole('button', { name: 'Crop again' }));
  fireEvent.click(screen.getByRole('button', { name: 'Correct the depth' }));
  expect(edited).toEqual(['crop', 'depth']);
});

it('has no depth to correct for a flat picture', async () => {
  await show({ preview: null, effect: 0 });
  expect(screen.queryByRole('button', { name: 'Correct the depth' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Crop again' })).toBeTruthy();
});

it('offers a better depth where there is one, and makes it of this picture alone', async () => {
  await show();
  expect(screen.queryByRole('button', { name: 'Better depth' })).toBeNull();
  cleanup();
  await show({ betterDepth: true });
  expect(screen.getByText(/Crop, strength and brush strokes stay/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Better depth' }));
  await waitFor(() => expect(changes()).toEqual([['/improveManyMedia', { media_ids: [media.id] }]]));
});
