/** The kinds of picture that are read, as MIME types. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/avif'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];
