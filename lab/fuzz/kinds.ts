export const PICTURE_KINDS = ['jpeg', 'png', 'heic', 'webp'] as const;
const VIDEO_KINDS = ['mp4', 'mkv', 'avi'] as const;
export const KINDS = [...PICTURE_KINDS, ...VIDEO_KINDS] as const;
export type Kind = (typeof KINDS)[number];

export function isVideo(kind: Kind): boolean {
  return VIDEO_KINDS.some((video) => video === kind);
}
