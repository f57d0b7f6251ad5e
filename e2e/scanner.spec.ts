import { createClient } from '@framelift/contract';
import { adminAccount } from './support/api.ts';
import { expectAccessible } from './support/axe.ts';
import { logIn } from './support/member.ts';
import { photoOfCode, recordCode } from './support/qr-code.ts';
import { expect, test } from './support/test.ts';

test('the code of a frame is read from a photo where there is no camera, and by the camera where there is one [R-2.qr.1] [R-1.member.11] [A96]', async ({
  page,
  app,
  playwright,
}, info) => {
  test.setTimeout(180_000);
  const frame = createClient({ base: `${app.url}/api`, language: () => 'en' });
  const codes = await frame.call('startFrame', {
    input: { kind: 'Firefox, Linux', screen: { width: 1920, height: 1080, pixelRatio: 1 } },
  });
  await page.goto('/login?lang=en');
  await logIn(page, adminAccount(app));
  await page.goto('/menu/qrcode');
  // On a machine with a camera, this browser is not allowed to use it.
  await expect(page.getByText(/This device has no camera\.|The camera is blocked\./)).toBeVisible();
  await expectAccessible(page, 'the scanner without a camera');
  await page.locator('input[type="file"]').setInputFiles({
    name: 'code.gif',
    mimeType: 'image/gif',
    buffer: photoOfCode(codes.verification_uri_complete),
  });
  await expect(page.getByRole('heading', { name: 'Is this your frame?' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(codes.user_code);
  await expectAccessible(page, 'the question about a frame');

  // A separate browser: the file for its fake camera is set when it starts.
  const video = info.outputPath('code.y4m');
  await recordCode(codes.verification_uri_complete, video);
  const { launchOptions = {} } = info.project.use;
  const browser = await playwright.chromium.launch({
    ...launchOptions,
    args: [
      ...(launchOptions.args ?? []),
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${video}`,
    ],
  });
  const phone = await browser.newPage({
    baseURL: app.url,
    locale: 'en-GB',
    viewport: { width: 390, height: 844 },
    storageState: await page.context().storageState(),
  });
  // On a busy machine the scan can time out before the first frame is decoded; a person would try again.
  await phone.addLocatorHandler(phone.getByRole('button', { name: 'Try again' }), (button) => button.click());
  await phone.goto('/menu/qrcode');
  await expect(phone.getByRole('heading', { name: 'Is this your frame?' })).toBeVisible({ timeout: 60_000 });
  await expect(phone.getByRole('main')).toContainText('Firefox, Linux');
  await phone.getByRole('button', { name: 'Pair this frame' }).click();
  await expect(phone).toHaveURL(/\/menu\/frameSetting/i);
  await expect(phone.getByRole('heading', { name: 'My frame', level: 1 })).toBeVisible();
  await phone.getByRole('link', { name: 'My frames' }).first().click();
  await expect(phone.getByRole('listitem').filter({ hasText: 'My frame' }).first()).toContainText('1920 \u00d7 1080');
  await expectAccessible(phone, 'the frames of a member');
  await browser.close();
});
