import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestFilm, writeFilm } from '@framelift/engine/testing/films';

/** An MP4 (H.264, AAC) as a person chooses it: a square that moves before a striped wall. */
export async function madeFilm(
  name: string,
  film: TestFilm = {},
): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'framelift-e2e-film-'));
  try {
    const path = join(folder, 'film.mp4');
    await writeFilm(path, film);
    return { name, mimeType: 'video/mp4', buffer: await readFile(path) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
