import { availableParallelism } from 'node:os';
import type { FilmRequest, FilmResult } from '../types.ts';
import { convertFilm, type FilmHooks } from './convert-film.ts';
import type { FilmInfo } from './film-info.ts';
import { FILM_LIMITS, type FilmLimits } from './limits.ts';
import { examineFilm } from './open-film.ts';
import { wholeFrame } from './plan-film.ts';
import { writePreview } from './preview.ts';
import { writeStill } from './still.ts';

export interface FilmsOptions {
  readonly threads?: number | undefined;
  readonly modelsDir?: string | undefined;
  readonly limits?: Partial<FilmLimits> | undefined;
}

/** What is done with films. Loading this loads FFmpeg, so it is for the forked process. */
export interface Films {
  convert(request: FilmRequest, hooks?: FilmHooks): Promise<FilmResult>;
  probe(path: string): Promise<FilmInfo>;
  still(path: string, seconds: number, outPath: string): Promise<void>;
  preview(path: string, outPath: string, hooks?: Pick<FilmHooks, 'signal'>): Promise<void>;
}

const STILL_WIDTH = 1920;

export function createFilms({ threads = availableParallelism(), modelsDir, limits: changed }: FilmsOptions): Films {
  const limits = { ...FILM_LIMITS, ...changed };
  return {
    convert: (request, hooks) => convertFilm(request, { threads, modelsDir, limits }, hooks),
    probe: async (path) => (await examineFilm(path, limits)).info,
    async still(path, seconds, outPath) {
      const film = await examineFilm(path, limits);
      await writeStill(film, outPath, { crop: wholeFrame(film.pictures.shown), seconds, width: STILL_WIDTH });
    },
    async preview(path, outPath, hooks) {
      await writePreview(await examineFilm(path, limits), outPath, { threads, limits }, hooks);
    },
  };
}
