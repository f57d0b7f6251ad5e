import { MEDIA_STATUS } from '@framelift/contract';
import type { Page } from '@playwright/test';
import { adminClient, memberClient, uploadFlatJpeg, waitForMedia } from './support/api.ts';
import { enterAsMember } from './support/member.ts';
import { madePhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';

const heading = (page: Page, name: string) => expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

const confirm = (page: Page) => dialog(page, 'Confirm your purchase');
const choose = (page: Page) => dialog(page, 'Choose how to pay');
const PAYPAL = /^PayPal.*\$30\.00$/;

/** What is sold: a product of three months, and the album with its pictures. */
const sold = { product: 0, album: '' };
/** Takes the shop away: the other journeys are those of a site without one. */
let close = async () => {};

test.beforeAll(async ({ app }) => {
  const operator = await adminClient(app);
  const picture = await uploadFlatJpeg(app.url, operator, await madePhoto(71, 300, 400), 'lantern.jpg');
  await waitForMedia(operator, picture, ({ status }) => status === MEDIA_STATUS.finished);
  const named = (name: string) => ({ en: name, zh: '', ja: '' });
  const { id: album } = await operator.call('albumCreate', { input: { name: 'Lanterns' } });
  await operator.call('editToAlbum', { input: { id: album, editType: 'add', media_ids: [picture] } });
  const store = await operator.call('setStore', { input: { id: null, name: named('Lamp shop') } });
  const product = {
    ...{ id: null, store_id: store.id, name: named('Lanterns'), content: named('Light.') },
    ...{ album_id: album, has_free: false, is_activated: false },
  };
  const { id } = await operator.call('setProduct', { input: product });
  await operator.call('setOffer', {
    input: { id: null, kind: 'product', product_id: id, period: 3, price_usd: 3000, price_twd: 900_00 },
  });
  await operator.call('setProduct', { input: { ...product, id, is_activated: true } });
  Object.assign(sold, { product: id, album });
  close = async () => {
    await operator.call('setStore', { input: { id: store.id, name: store.name, is_active: false } });
  };
});

test.afterAll(() => close());

test('a purchase is confirmed before its way to pay is chosen; cancelled at either place, nothing is charged [R-2.confirm-purchase.1] [R-2.confirm-purchase.2] [R-2.confirm-purchase.3] [R-2.confirm-purchase.4] [R-2.payment-modal.1] [R-2.payment-modal.2] [R-2.payment-modal.3] [A66]', async ({
  page,
  app,
}) => {
  const client = await memberClient(app.url, await enterAsMember(page));
  await page.goto(`/store?product=${sold.product}`);
  await dialog(page, 'Lamp shop').getByRole('button', { name: 'Buy' }).click();
  await expect(confirm(page)).toContainText('You will buy');
  await expect(confirm(page)).toContainText('$30 / 3 months');
  await confirm(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(confirm(page)).toBeHidden();
  await dialog(page, 'Lamp shop').getByRole('button', { name: 'Buy' }).click();
  await confirm(page).getByRole('button', { name: 'Buy' }).click();
  await expect(choose(page).getByRole('button', { name: /^Credit card.*NT\$900$/ })).toBeEnabled();
  await expect(choose(page)).toContainText('for test use only');
  await choose(page).getByRole('button', { name: PAYPAL }).click();
  await page.getByRole('button', { name: 'Cancel and go back' }).click();
  await heading(page, 'You cancelled the payment');
  expect((await client.call('payments', { input: {} })).data).toMatchObject([{ state: 'expired' }]);
  // Another attempt begins at the result.
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(choose(page).getByRole('button', { name: PAYPAL })).toBeEnabled();
});

test('a product that is paid at PayPal can be opened, and its result bears a reload [R-1.feature-plans.3] [R-4.purchase.1] [R-4.purchase.3] [R-4.purchase.5] [R-4.payment-result.1] [R-8.payment.2]', async ({
  page,
}) => {
  await enterAsMember(page);
  await page.goto(`/store?product=${sold.product}`);
  await dialog(page, 'Lamp shop').getByRole('button', { name: 'Buy' }).click();
  await confirm(page).getByRole('button', { name: 'Buy' }).click();
  await choose(page).getByRole('button', { name: PAYPAL }).click();
  // It is open for two seconds: whoever begins to look after the click may come too late on a busy machine.
  await Promise.all([
    dialog(page, 'PayPal payment success! transaction ID:').waitFor(),
    page.getByRole('button', { name: 'Approve and pay' }).click(),
  ]);
  await expect(page.getByText('buy Lanterns success')).toBeVisible();
  await heading(page, 'Thank you, your payment is complete');
  await page.reload();
  await heading(page, 'Thank you, your payment is complete');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('link', { name: 'Open album' }).click();
  await expect(page).toHaveURL(`/album/${sold.album}`);
});

test('points are paid by a form of the card provider, and a plan by its page in a new tab [R-1.product.2] [R-1.feature-plans.2] [R-1.feature-plans.4] [R-4.purchase.6] [R-7.card.3] [R-7.card.7]', async ({
  page,
  app,
  context,
}) => {
  const client = await memberClient(app.url, await enterAsMember(page));
  await page.goto('/menu/points');
  await page.getByRole('link', { name: 'Buy points' }).click();
  await page.getByRole('button', { name: 'Buy: 100 points' }).click();
  await confirm(page).getByRole('button', { name: 'Buy' }).click();
  await choose(page)
    .getByRole('button', { name: /^Credit card.*NT\$30$/ })
    .click();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.getByRole('button', { name: 'Back to the shop' }).click();
  await heading(page, 'Thank you, your payment is complete');
  await expect(page.getByRole('main')).toContainText('100 points added. You have 100 points now.');
  await expect(page.getByText('buy 100 points success')).toBeVisible();

  await page.goto('/plan');
  await page.getByRole('button', { name: 'Choose Prime' }).click();
  await confirm(page).getByRole('button', { name: 'Buy' }).click();
  const opened = context.waitForEvent('page');
  await choose(page)
    .getByRole('button', { name: /^Credit card.*NT\$300$/ })
    .click();
  const card = await opened;
  await heading(page, 'Pay in the other tab');
  await card.getByRole('button', { name: 'Pay', exact: true }).click();
  await heading(page, 'Thank you, your payment is complete');
  await expect(page.getByText('buy Prime success')).toBeVisible();
  await card.getByRole('button', { name: 'Back to the shop' }).click();
  await heading(card, 'Thank you, your payment is complete');
  await card.close();
  await page.goto('/plan');
  await expect(page.getByRole('listitem').filter({ hasText: 'Your plan' })).toContainText('Prime');
  expect(await client.call('user')).toMatchObject({ points: 900, myPlan: { plan: { name: 'Prime' } } });
});
