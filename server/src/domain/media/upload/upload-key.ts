/** Returns the upload key of the key of a part; any other key is returned unchanged. */
export function uploadKeyOf(key: string): string {
  return key.replace(/\.\d+$/, '');
}
