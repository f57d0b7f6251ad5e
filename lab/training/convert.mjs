// node convert.mjs IN OUT: converts every picture of the folder IN to an upright sRGB JPEG of at most 900 x 900 pixels.
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';

const [, , input, output] = process.argv;
mkdirSync(output, { recursive: true });
for (const name of readdirSync(input)) {
  try {
    await sharp(path.join(input, name))
      .rotate()
      .resize(900, 900, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .removeAlpha()
      .jpeg({ quality: 93 })
      .toFile(path.join(output, `${path.parse(name).name}.jpg`));
  } catch (error) {
    console.error(`skipped ${name}: ${error.message}`);
  }
}
