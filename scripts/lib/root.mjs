import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Absolute path of the checkout, with a trailing slash. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Runs `task` if the file at `url` is the main script. Prints a failure as one sentence. */
export async function whenMain(url, task) {
  if (process.argv[1] === undefined || realpathSync(process.argv[1]) !== fileURLToPath(url)) return;
  try {
    await task();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
