/** The folder of installed neural models. Loads no model and no decoder, so that a server can use it itself. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { NEURAL_MODELS, type NeuralModel, PRECISIONS, type Precision } from './catalogue.ts';
import { type DownloadOptions, downloadFile, removeFile } from './install.ts';

export interface InstalledModel {
  readonly model: NeuralModel;
  /** Paths of the existing files; at least one. */
  readonly files: Partial<Record<Precision, string>>;
}

/**
 * Returns the models of the catalogue that exist in the folder, best first.
 * @param only id of the only model that counts
 */
export function installedModels(folder: string, only?: string): InstalledModel[] {
  return NEURAL_MODELS.flatMap((model) => {
    if (only !== undefined && model.id !== only) return [];
    const there = PRECISIONS.map((precision) => [precision, join(folder, model.files[precision].file)] as const);
    const files = Object.fromEntries(there.filter(([, path]) => existsSync(path)));
    return Object.keys(files).length > 0 ? [{ model, files }] : [];
  });
}

/** Returns a text that changes when a model is installed, replaced or removed. */
export function installedState(folder: string | undefined, only?: string): string {
  if (folder === undefined) return '';
  const paths = installedModels(folder, only).flatMap(({ files }) => Object.values(files));
  const states = paths.map((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found ? `${path} ${found.ino} ${found.size} ${found.mtimeMs}` : '';
  });
  return states.join('\n');
}

export interface ModelSource {
  /** Address of the file instead of the catalogue's. */
  readonly address?: string | undefined;
  /** Checksum of another export than the catalogue's. */
  readonly sha256?: string | undefined;
}

/** Precision that is fetched: on processors half precision is slower, and a few pictures need the full one. */
const FETCHED: Precision = 'fp32';

/** Returns the size in bytes of what `fetchModel` fetches from the catalogue's address. */
export const fetchedBytes = (model: NeuralModel): number => model.files[FETCHED].bytes;

/**
 * Downloads a model into the folder; it appears there complete and verified, or not at all. Goes on where an earlier
 * call was broken off.
 * @throws see `downloadFile`; `problemOf` names the reason
 */
export async function fetchModel(
  model: NeuralModel,
  folder: string,
  { address, sha256 }: ModelSource = {},
  options: DownloadOptions = {},
): Promise<void> {
  const known = model.files[FETCHED];
  const wanted = {
    address: address ?? known.address,
    bytes: sha256 === undefined ? known.bytes : null,
    sha256: sha256 ?? known.sha256,
  };
  await downloadFile(wanted, join(folder, known.file), options);
}

/** Removes all files of a model, also of an interrupted download. @returns whether anything existed */
export async function removeModel(model: NeuralModel, folder: string): Promise<boolean> {
  const removed = await Promise.all(PRECISIONS.map((one) => removeFile(join(folder, model.files[one].file))));
  return removed.some(Boolean);
}
