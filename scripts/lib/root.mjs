import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Absolute path of the checkout, with a slash at its end. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Runs `task` when the file at `url` is the one that Node was started with. A failure is told in one sentence. */
export async function whenMain(url, task) {
  if (process.argv[1] === undefined || realpathSync(process.argv[1]) !== fileURLToPath(url)) return;
  try {
    await task();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
