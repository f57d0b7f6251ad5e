import { openReader } from './code-reader.ts';

/** Looks for a code in a photo. @throws when the file is no picture that this browser can show */
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
