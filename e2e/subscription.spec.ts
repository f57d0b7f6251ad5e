import { randomUUID } from 'node:crypto';
import { LIMITS } from '@framelift/contract';
import { memberClient } from './support/api.ts';
import { enterAsMember } from './support/member.ts';
import { approveAtPayPal, atPayPal } from './support/paypal.ts';
import { type RunningServer, startServer } from './support/server.ts';
import { test as base, expect } from './support/test.ts';

const MONTH_SECONDS = 32 * 86_400;
/** A message of PayPal arrives by jobs on both sides, and is asked about once more. */
const TOLD = { timeout: 60_000 };

const test = base.extend<{ shop: RunningServer }>({
  // A server of its own: PayPal's clock is turned a month ahead, which cannot be undone, and no other journey expects it.
  shop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this very pattern
    async ({}, use) => {
      const server = await startServer();
      await use(server);
      await server.remove();
    },
    { timeout: 150_000 },
  ],
  baseURL: ({ shop }, use) => use(shop.url),
});

test('a member sees the plan that PayPal charges, cancels and keeps it, and pays a renewal that failed; all payments are listed with their receipts [A75]', async ({
  page,
  shop,
}) => {
  test.setTimeout(180_000);
  const client = await memberClient(shop.url, await enterAsMember(page));
  const { data: plans } = await client.call('plan_solutions', { input: {} });
  const prime = plans.find(({ plan_id }) => plan_id === LIMITS.planIds.prime);
  if (!prime) throw new Error('Prime is not for sale');
  await page.goto('/subscribedetail');
  await expect(page.getByRole('heading', { name: 'You have no plan' })).toBeVisible();

  const input = { offer_id: prime.id, method: 'paypal', key: randomUUID() } as const;
  const begun = await client.call('createPayment', { input });
  await page.goto('/menu/payments');
  const payments = page.getByRole('main').locator('button[aria-expanded]');
  await expect(payments).toHaveText([/Prime.*Not paid yet/]);
  const ref = (await approveAtPayPal(begun)).searchParams.get('subscription_id') ?? '';
  const { td } = begun;
  // The server is asked, and asks PayPal, until the money has come.
  const asked = async () => (await client.call('payment', { params: { td } })).state;
  await expect.poll(asked, TOLD).toBe('granted');

  await page.goto('/member/subscribedetail');
  const plan = page.getByRole('region', { name: 'Plan' });
  await expect(plan.getByRole('heading', { name: 'Prime' })).toBeVisible();
  await expect(plan).toContainText('Active');
  await expect(plan).toContainText(/Next payment\$[\d.]+ on /);
  await expect(plan).toContainText('Paid withPayPal');

  const paypal = await atPayPal(shop);
  const statusAtPayPal = async () => (await paypal(`/v1/billing/subscriptions/${ref}`)).status;
  await plan.getByRole('button', { name: 'Cancel plan' }).click();
  const question = page.getByRole('dialog', { name: 'Cancel Prime?' });
  await expect(question).toContainText('You keep Prime until');
  await question.getByRole('button', { name: 'Cancel plan' }).click();
  await expect(plan).toContainText('Nothing more will be charged.');
  await expect.poll(statusAtPayPal, TOLD).toBe('SUSPENDED');
  await page.reload();
  await plan.getByRole('button', { name: 'Keep plan' }).click();
  await expect(plan).toContainText('Next payment');
  await expect.poll(statusAtPayPal, TOLD).toBe('ACTIVE');

  await paypal('/clock', { declining: [ref], advance_seconds: MONTH_SECONDS });
  const held = async () => (await client.call('subscriptions', { input: {} })).data.map(({ state }) => state);
  // PayPal's message tells it.
  await expect.poll(held, TOLD).toEqual(['suspended']);
  await page.reload();
  await expect(plan).toContainText('Paused');
  await paypal('/clock', { paying: [ref] });
  await plan.getByRole('button', { name: /^Pay \$[\d.]+ now$/ }).click();
  await expect(page.getByText('Thank you. Your plan is active again.')).toBeVisible();
  await expect(plan).toContainText('Active');

  await page.getByRole('link', { name: 'All payments' }).click();
  await expect(payments).toHaveText([/Prime.*Paid$/, /Prime.*Paid$/]);
  await payments.first().click();
  const receipt = page.getByRole('main').getByRole('region').first();
  await expect(receipt.getByText('Transaction ID')).toBeVisible();
  await expect(receipt).toContainText('Paid withPayPal');
  await page.goto('/order');
  await expect(page).toHaveURL('/menu/order');
  const orders = page.getByRole('main').locator('button[aria-expanded]');
  await expect(orders).toHaveText([/Prime.*Paid$/, /Prime.*Paid$/]);
});
