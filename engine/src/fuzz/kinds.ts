export const PICTURE_KINDS = ['jpeg', 'png', 'heic', 'webp'] as const;
export const FILM_KINDS = ['mp4', 'mkv', 'avi'] as const;
export const KINDS = [...PICTURE_KINDS, ...FILM_KINDS] as const;
export type Kind = (typeof KINDS)[number];

export function isFilm(kind: Kind): boolean {
  return FILM_KINDS.some((film) => film === kind);
}
