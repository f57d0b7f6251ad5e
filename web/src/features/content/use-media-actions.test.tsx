// @vitest-environment happy-dom
import { LIMITS, type Media } from '@framelift/contract';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { answerCalls, refusal, type SentCall, showPage, success } from '../../testing/page.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useMediaActions } from './use-media-actions.ts';

/** One more than a call takes. */
const media = Array.from({ length: LIMITS.mediaAtOnce + 1 }, (_, n) => ({ id: String(n), name: `${n}.jpg` }) as Media);

let actions: ReturnType<typeof useMediaActions>;
function Actions() {
  actions = useMediaActions('album');
  return 'ready';
}

const shown = () => toasts.current().map(({ kind, text, lines = [] }) => [kind, text, ...lines]);

/** Refuses the last picture, where the call is one of these. */
async function refusing(isRefused: (call: SentCall) => boolean) {
  answerCalls((call) => {
    const { media_ids: ids = [] } = (call.input ?? {}) as { media_ids?: string[] };
    if (ids.length === 1 && isRefused(call)) return refusal(429, 'tooManyRequests', 'Wait.');
    return success({ started: [], passed_over: ids });
  });
  await showPage(<Actions />);
  await screen.findByText('ready');
}

beforeEach(() => toasts.clear());

it('tells why a later part was not converted again, also where the first ones have the best depth', async () => {
  await refusing(({ path }) => path === '/improveManyMedia');
  await act(() => actions.improve(media));
  expect(shown()).toEqual([['warning', 'Wait.']]);
});

it('tells why a later part was not put back into the album', async () => {
  await refusing(({ input }) => (input as { editType?: string }).editType === 'add');
  await act(() => actions.removeFromAlbum(media));
  expect(shown()).toEqual([['info', '501 items were removed from the album.']]);
  const { action } = toasts.current()[0] ?? {};
  act(() => action && 'run' in action && action.run());
  await waitFor(() => expect(shown()).toContainEqual(['warning', 'Wait.']));
});
