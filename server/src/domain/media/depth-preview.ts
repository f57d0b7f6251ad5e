import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ApiError, api, LIMITS, type OutputOf } from '@framelift/contract';
import type { DeviceProfile } from '@framelift/engine';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { receive } from '../../platform/storage/receive.ts';
import { asApiError } from './engine-errors.ts';

/** The preview is of the whole copy, which was cropped before it was sent. */
const NO_DEVICE: Omit<DeviceProfile, 'ratio' | 'resolution'> = {
  slug: 'preview',
  name: 'preview',
  format: 'flat',
  disparityBudget: 1,
};

/**
 * Returns the layers of a small copy of a picture that its owner has not uploaded yet. Nothing is stored. It waits its turn
 * among the conversions of all users, and ends when the caller hangs up.
 * @throws ApiError see the endpoint
 */
export async function previewDepth(
  { converter, tempDirs }: Context,
  actor: Actor,
  body: Readable,
  hangUp: AbortSignal,
): Promise<OutputOf<typeof api.previewDepth>> {
  const { userId: user } = signedIn(actor);
  const { bytes, longestPx } = LIMITS.depthPreview;
  const tooMuch = (what: string) => new ApiError('pictureTooLarge', [what]);
  try {
    return await tempDirs.use(async (folder) => {
      const input = join(folder, 'sent');
      if ((await receive(input, body, { limit: bytes, tooMuch: () => tooMuch(`more than ${bytes} bytes`) })) === 0)
        throw new ApiError('fileEmpty');
      const { width, height } = await converter.probe(input, { user, signal: hangUp });
      if (Math.max(width, height) > longestPx) throw tooMuch(`${width} x ${height}, at most ${longestPx}`);
      const { preview } = await converter.convert(
        {
          kind: 'picture',
          input,
          outDir: folder,
          name: 'preview',
          effect: 100,
          crop: { x: 0, y: 0, width, height },
          device: { ...NO_DEVICE, ratio: [width, height], resolution: { width, height } },
          pair: 'flat',
          preview: true,
        },
        { user, isGuest: actor.kind === 'guest', signal: hangUp },
      );
      if (!preview) throw new Error('The engine made no preview');
      const url = async (path: string, type: string) => `data:${type};base64,${await readFile(path, 'base64')}`;
      return {
        colour: await url(preview.colour, 'image/jpeg'),
        depth: await url(preview.depth, 'image/png'),
        background: await url(preview.background, 'image/jpeg'),
        backgroundDepth: await url(preview.backgroundDepth, 'image/png'),
      };
    });
  } catch (error) {
    throw asApiError(error, api.previewDepth);
  }
}
