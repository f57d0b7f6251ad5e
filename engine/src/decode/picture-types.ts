/** The kinds of picture that are read, as MIME types. */
export type PictureType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/heic' | 'image/avif';
