/** Synthesises right views from left views and true disparity: `npm run -s synthesise -- --batch DIR`. */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { synthesiseRight } from '../../engine/src/render/synthesise.ts';
import { preparedScenes, readScene, writePicture } from './stereo-files.ts';

const USAGE = `usage: npm run -s synthesise -- --batch DIR

Reads ID.left.png and ID.disparity.png (16 bits, 64 steps a pixel) of each scene in DIR and writes ID.png, what the right
camera sees.
`;

/** Folder in which the user typed the command: npm runs scripts in the project root. */
const callersFolder = (process.env['npm_lifecycle_event'] === 'synthesise' && process.env['INIT_CWD']) || process.cwd();

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { batch: { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help || values.batch === undefined) {
    (values.help ? process.stdout : process.stderr).write(USAGE);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const folder = resolve(callersFolder, values.batch);
  const ids = preparedScenes(folder);
  if (ids.length === 0) throw new Error(`${folder} holds no ID.left.png.`);
  for (const id of ids) {
    const { left, disparity } = await readScene(folder, id);
    await writePicture(synthesiseRight(left, disparity), join(folder, `${id}.png`));
    process.stdout.write(`${id}.png\n`);
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
