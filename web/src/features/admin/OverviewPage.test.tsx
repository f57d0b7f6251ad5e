// @vitest-environment happy-dom
import { DEPTH_MODEL_PROBLEMS, type DepthModel, type EngineStatusAnswer, type SiteStatus } from '@framelift/contract';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { i18next } from '../../i18n/index.ts';
import { answerCalls, refusal, type SentCall, showPage, success } from '../../testing/page.tsx';
import { OverviewPage } from './OverviewPage.tsx';

const status: EngineStatusAnswer = {
  version: '0.1.0',
  depth: {
    source: 'model:depth-anything-v2-small',
    name: 'Depth Anything V2 Small',
    licence: 'Apache-2.0',
    selfTest: 'ok',
    selfTestMs: 812.4,
    device: 'cuda',
  },
  warnings: ['The model does something odd.'],
  versions: { node: '24.11.0', sharp: '0.35.5' },
  queue: { waiting: 12, running: 2 },
};

const site: SiteStatus = {
  version: '0.1.0',
  startedAt: '2026-01-02T03:04:05.000Z',
  sandbox: true,
  isMaintenance: false,
  services: { database: 'builtin', files: 's3', mail: 'builtin', captcha: 'off' },
  people: { members: 1234, unconfirmed: 3, fresh: 7, vips: 5, restricted: 1, admins: 2, guests: 9 },
  pictures: 40,
  films: 2,
  storedBytes: 5_242_880,
  conversions: { waitingSince: null, done: 11, failed: 0 },
  room: { freeBytes: 5 * 1024 ** 3, reserveBytes: 1024 ** 3, failedAt: null },
  mails: { waitingSince: null, failed: 0, lastError: null },
  payments: { problems: 0, ungranted: 0, unanswered: 0, takings: [] },
};

const model: NonNullable<DepthModel['model']> = {
  id: 'depth-anything-v2-small',
  name: 'Depth Anything V2 Small',
  licence: 'Apache-2.0',
  bytes: 99_060_839,
  state: 'inUse',
  fetched: 99_060_839,
  problem: null,
  detail: null,
  nextTryAt: null,
};

/** Shows the page with these server responses. @returns the calls that it makes */
async function show(
  engine: EngineStatusAnswer = status,
  state: SiteStatus = site,
  depth: DepthModel['model'] = model,
): Promise<readonly SentCall[]> {
  const removed = { ...model, state: 'removed', fetched: 0 };
  const answers: Record<string, unknown> = {
    '/siteStatus': state,
    '/engineStatus': engine,
    '/depthModel': { model: depth },
    '/fetchDepthModel': { model: { ...model, state: 'waiting', fetched: 0 } },
    '/removeDepthModel': { model: removed },
  };
  const sent = answerCalls(({ path }) => success(answers[path]));
  await open();
  return sent;
}

async function open(): Promise<void> {
  await showPage(<OverviewPage />);
  await i18next.loadNamespaces(['admin', 'adminPayments']);
}

it('names the depth engine in use, its licence, its self-test, what is odd, and the queue', async () => {
  await show();
  expect(await screen.findByText('Depth Anything V2 Small')).toBeTruthy();
  expect(screen.getByText('The self-test passed in 812 ms.')).toBeTruthy();
  expect(screen.getByText('Apache-2.0')).toBeTruthy();
  expect(screen.getByText('Runs on').nextElementSibling?.textContent).toBe('CUDA');
  expect(screen.getByText('The model does something odd.')).toBeTruthy();
  expect(screen.getByText('Waiting').nextElementSibling?.textContent).toBe('12');
  expect(screen.getByText('sharp').nextElementSibling?.textContent).toBe('0.35.5');
  expect(screen.getByText('Node.js').nextElementSibling?.textContent).toBe('24.11.0');
});

it('says so when the self-test failed, and calls the built-in engine by its name', async () => {
  const depth = { ...status.depth, source: 'basic', name: 'basic', selfTest: 'failed' as const };
  await show({ ...status, depth, warnings: [] });
  expect(await screen.findByText('Basic depth (built in)')).toBeTruthy();
  expect(await screen.findAllByText('The self-test failed: conversions will not work.')).toHaveLength(2);
  expect(screen.queryByText('Warnings')).toBeNull();
});

it('offers another try when the state cannot be loaded', async () => {
  answerCalls(() => refusal(403, 'forbidden', 'This is for administrators.'));
  await open();
  expect(await screen.findAllByText('This is for administrators.')).toHaveLength(2);
  expect(screen.getAllByRole('button', { name: 'Try again' })).toHaveLength(2);
});

it('says in one look that everything runs, and which services are built in', async () => {
  await show();
  expect(await screen.findByText('Everything is running')).toBeTruthy();
  expect(screen.getByText('Members').nextElementSibling?.textContent).toBe('1,234');
  expect(screen.getByText('Stored').nextElementSibling?.textContent).toBe('5 MB');
  expect(screen.getByText('E-mail').nextElementSibling?.textContent).toBe('Built in');
  expect(screen.getByText(/Set SMTP_URL to use a mail server/)).toBeTruthy();
  expect(screen.getByText('S3 storage')).toBeTruthy();
  expect(screen.queryByText(/S3_BUCKET/)).toBeNull();
});

it('says what is stuck, and what a mail server refused [S15]', async () => {
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  await show(status, {
    ...site,
    isMaintenance: true,
    conversions: { waitingSince: hourAgo, done: 0, failed: 3 },
    mails: { waitingSince: new Date().toISOString(), failed: 1, lastError: '550 No such user' },
  });
  expect(await screen.findByText('Needs attention')).toBeTruthy();
  expect(screen.getByText(/Conversions have been waiting since/)).toBeTruthy();
  expect(screen.getByText('3 conversions failed in the last 24 hours')).toBeTruthy();
  expect(screen.getByText(/Maintenance mode is on/)).toBeTruthy();
  expect(screen.getByText(/server’s answer to the last of them: 550 No such user/)).toBeTruthy();
  // A mail that was queued just now is not reported.
  expect(screen.queryByText(/Mails have been waiting/)).toBeNull();
});

it('shows the free room, that it is short, and when something last found none [W25]', async () => {
  await show();
  expect((await screen.findByText('Free on the server')).nextElementSibling?.textContent).toBe('5 GB');
  expect(screen.getByText('Everything is running')).toBeTruthy();
  cleanup();
  const room = { freeBytes: 700 * 1024 ** 2, reserveBytes: 1024 ** 3, failedAt: '2026-01-02T03:04:05.000Z' };
  await show(status, { ...site, room });
  expect(await screen.findByText(/^Only 700 MB are free on the server/)).toBeTruthy();
  expect(screen.getByText(/^A file could not be stored at Jan 2, 2026.* no room left/)).toBeTruthy();
});

it('says what the month brought in each currency, and leads to the payments that need somebody', async () => {
  const takings = [
    { currency: 'TWD', paid: 300_00, refunded: 0 },
    { currency: 'USD', paid: 1_234_00, refunded: 12_00 },
  ] as const;
  await show(status, { ...site, payments: { problems: 2, ungranted: 1, unanswered: 3, takings: [...takings] } });
  expect(await screen.findByText('Needs attention')).toBeTruthy();
  expect(screen.getByText('This month, USD').nextElementSibling?.textContent).toBe('$1,234.00');
  expect(screen.getByText('$12.00 of it refunded')).toBeTruthy();
  expect(screen.getByText('This month, TWD').nextElementSibling?.textContent).toBe('NT$300');
  expect(screen.getByRole('link', { name: '2 payments have a problem' }).getAttribute('href')).toBe(
    '/admin/payments?problem=yes',
  );
  expect(screen.getByRole('link', { name: '1 payment is paid but not delivered' }).getAttribute('href')).toBe(
    '/admin/payments?state=paid&problem=no',
  );
  const silence = screen.getByRole('link', { name: '3 payments are under way, but their provider does not answer' });
  expect(silence.getAttribute('href')).toBe('/admin/payments?problem=unanswered');
});

const posted = (sent: readonly SentCall[]) => sent.filter(({ method }) => method === 'POST').map(({ path }) => path);

it('says how far the download of the depth model is, and cancels it', async () => {
  const sent = await show(status, site, { ...model, state: 'fetching', fetched: 49_530_420 });
  expect(
    await screen.findByText(/^Depth Anything V2 Small \(Apache-2\.0\) is being downloaded: 47 MB of 94 MB/),
  ).toBeTruthy();
  expect(screen.getByText('New pictures get basic depth until then.')).toBeTruthy();
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('50');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel the download' }));
  expect(await screen.findByRole('button', { name: /^Download Depth Anything V2 Small/ })).toBeTruthy();
  expect(posted(sent)).toEqual(['/removeDepthModel']);
});

it('removes the depth model, which can be undone and fetched again', async () => {
  const sent = await show();
  expect(await screen.findByText(/makes the depth of new pictures/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText(/was removed\. New pictures get basic depth/)).toBeTruthy();
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(posted(sent)).toEqual(['/removeDepthModel', '/fetchDepthModel']));
  expect(await screen.findByText(/will be downloaded in a moment/)).toBeTruthy();
});

it('says why the depth model is not in use, what helps, and tries again', async () => {
  const sentences = new Set<string | null>();
  for (const problem of DEPTH_MODEL_PROBLEMS) {
    await show(status, site, { ...model, state: 'failed', problem, detail: 'EXDEV', nextTryAt: site.startedAt });
    sentences.add((await screen.findByText(/Depth Anything V2 Small.*\.$/)).textContent);
    expect(screen.getByText('EXDEV')).toBeTruthy();
    expect(screen.getByText(/^Next try: Jan 2, 2026/)).toBeTruthy();
    cleanup();
  }
  expect(sentences.size).toBe(DEPTH_MODEL_PROBLEMS.length);
  const sent = await show(status, site, { ...model, state: 'failed', problem: 'offline', detail: null });
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(posted(sent)).toEqual(['/fetchDepthModel']));
});

it('says that basic depth is a setting where it is one', async () => {
  await show(status, site, null);
  expect(await screen.findByText('New pictures get basic depth, because DEPTH_MODEL is set to basic.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull();
});
