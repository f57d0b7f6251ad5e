import type { Comfort, DepthSource, Size } from '../types.ts';
export interface FilmPainter {
  readonly size: Size;
  readonly comfort: Comfort | null;
  readonly depthSource: DepthSource | null;
  paint(rgb: Uint8Array, seconds: number): Promise<Uint8Array>;
  save(): Uint8Array;
  close(): Promise<void>;
}
export async function createFilmPainter({ input }: { input: Size } & Record<string, unknown>): Promise<FilmPainter> {
  return {
    size: input,
    comfort: null,
    depthSource: null,
    paint: async (rgb) => rgb,
    save: () => new Uint8Array(0),
    close: async () => {},
  };
}
