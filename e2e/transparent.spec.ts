import { drawingOnNothing } from '@framelift/engine/testing/pictures';
import { enterAsMember } from './support/member.ts';
import { expect, test } from './support/test.ts';
import { chooseFile, sendFile } from './support/upload.ts';

test('a drawing on transparency is seen on its ground while it is cropped, and the member can choose another [W2]', async ({
  page,
}) => {
  const buffer = await drawingOnNothing(480, 640, [255, 255, 255]).png().toBuffer();
  await enterAsMember(page);
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('button', { name: 'Convert' }).click();
  await chooseFile(page, { name: 'drawing.png', mimeType: 'image/png', buffer });
  const dialog = page.getByRole('dialog');
  const picture = dialog.getByRole('application').locator('..').locator('img');
  // A white drawing gets a dark ground by itself.
  await expect(picture).toHaveCSS('background-color', 'rgb(38, 38, 38)');
  await dialog.getByRole('radiogroup', { name: 'Background' }).getByText('Colour').click();
  await dialog.getByLabel('Colour').last().fill('#00aa00');
  await expect(picture).toHaveCSS('background-color', 'rgb(0, 170, 0)');
  const asked = page.waitForRequest(/requestUploadMedia/);
  await sendFile(page, /\/menu\/confirmUpload\?media=/);
  expect((await asked).postDataJSON()).toMatchObject({ ground: '#00aa00' });
});
