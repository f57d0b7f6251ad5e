import { openReader } from './code-reader.ts';

/**
 * Searches a photo for a code.
 * @throws when the browser cannot decode the file
 */
export async function readPhoto(file: Blob): Promise<string | null> {
  const picture = await createImageBitmap(file);
  const reader = await openReader();
  try {
    return await reader.read(picture);
  } finally {
    reader.close();
    picture.close();
  }
}
