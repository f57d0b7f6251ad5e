import { env } from 'onnxruntime-node';
import { sharp } from '../../decode/decoder.ts';
import { EngineError } from '../../errors.ts';
import { type BasicDepth, createBasicDepth } from '../index.ts';
import { devicesToTry, disagreement } from './device.ts';
import type { DepthDevice, Device } from './devices.ts';
import { loadNeuralDepth, type NeuralDepth } from './neural-depth.ts';
import { type SelfTest, selfTest } from './self-test.ts';
import type { EngineStatus, UnusableModel } from './status.ts';
import { type InstalledModel, installedModels } from './store.ts';

export interface DepthEngineOptions {
  /** Threads per network run, 2 by default. */
  readonly threads?: number | undefined;
  /** Folder of the prepared models of the built-in estimator. */
  readonly modelsDir?: string | undefined;
  /** Folder of neural models installed by the operator. */
  readonly neuralDir?: string | undefined;
  /** Id of the only neural model that may be used; any installed one by default. */
  readonly neuralModel?: string | undefined;
  /** Where the neural model runs; `auto` by default. */
  readonly device?: DepthDevice | undefined;
  /** Receives warnings for the operator. */
  readonly warn?: ((sentence: string) => void) | undefined;
}

export interface DepthEngine extends BasicDepth {
  /** The neural model in use; null for the built-in estimator. The engine closes it. */
  readonly neural: NeuralDepth | null;
  /** Returns the active estimator and the result of its self-test on a small known picture. */
  status(): Promise<EngineStatus>;
}

/** Limit for the small self-test; a machine above it would take minutes per picture. */
const SELF_TEST_LIMIT_MS = 30_000;
const SELF_TEST_SHORT_SIDE = 140;

interface TestedNeuralDepth extends NeuralDepth {
  readonly tested: SelfTest;
  readonly device: Device;
}

/**
 * Creates the best depth engine for this machine: the installed neural model if it passes its self-test, otherwise the
 * built-in estimator. The latter also handles pictures on which the model fails.
 */
export async function createDepthEngine(options: DepthEngineOptions): Promise<DepthEngine> {
  const { threads = 2, modelsDir } = options;
  const warnings: string[] = [];
  const unusable: UnusableModel[] = [];
  const warn = (sentence: string) => {
    warnings.push(sentence);
    options.warn?.(sentence);
  };
  const neural = await loadInstalled({ ...options, threads, warn }, unusable);
  let basic: Promise<BasicDepth> | null = null;
  const loadBasic = () => {
    basic ??= createBasicDepth({ threads, ...(modelsDir === undefined ? {} : { modelsDir }) }).then((loaded) => {
      loaded.warnings.forEach(warn);
      return loaded;
    });
    return basic;
  };
  // With a neural model the built-in one is rarely needed, and it takes 300 MB.
  if (!neural) await loadBasic();

  return {
    warnings,
    neural,
    async estimate(picture, hooks) {
      if (neural) {
        try {
          return await neural.estimate(picture, hooks);
        } catch (error) {
          if (error instanceof EngineError) throw error;
          options.warn?.(`Basic depth was used for a picture that ${neural.model.name} failed at: ${reasonOf(error)}.`);
        }
      }
      return (await loadBasic()).estimate(picture, hooks);
    },
    async status() {
      const versions = {
        node: process.versions.node,
        onnxRuntime: env.versions.node ?? '',
        sharp: sharp.versions.sharp ?? '',
      };
      if (neural) {
        const { id, name, licence } = neural.model;
        const { device, tested } = neural;
        const depth = { source: `model:${id}`, name, licence, selfTest: 'ok', device } as const;
        return { depth: { ...depth, selfTestMs: Math.round(tested.ms) }, unusable, warnings, versions };
      }
      const { ms, problem } = await selfTest((await loadBasic()).estimate);
      return {
        depth: {
          source: 'basic',
          name: 'Basic depth',
          licence: 'AGPL-3.0-or-later',
          selfTest: problem === null ? 'ok' : 'failed',
          selfTestMs: Math.round(ms),
          device: 'cpu',
        },
        unusable,
        warnings: problem === null ? warnings : [...warnings, `Basic depth fails its self-test: ${problem}.`],
        versions,
      };
    },
    async close() {
      await neural?.close();
      await (await basic)?.close();
    },
  };
}

type Loading = Pick<DepthEngineOptions, 'neuralDir' | 'neuralModel' | 'device'> & {
  readonly threads: number;
  readonly warn: (sentence: string) => void;
};

/** Returns the first installed model that passes its self-test; adds those before it to `unusable`. */
async function loadInstalled(loading: Loading, unusable: UnusableModel[]): Promise<TestedNeuralDepth | null> {
  const { neuralDir, neuralModel, warn } = loading;
  if (neuralDir === undefined) return null;
  for (const installed of installedModels(neuralDir, neuralModel)) {
    const { id, name } = installed.model;
    const tested = (await loadOnDevice(installed, loading)) ?? (await load(installed, loading.threads, 'cpu'));
    if (!('problem' in tested)) return tested;
    const { problem, detail } = tested;
    unusable.push({ id, problem, detail });
    if (problem === 'damaged') warn(`${name} is installed and cannot be loaded; basic depth is used. ${detail}`);
    else warn(`${name} is installed and fails its self-test; basic depth is used. The reason: ${detail}.`);
  }
  return null;
}

/**
 * Returns the model on the wanted device if its depth is that of the processor, otherwise null: then the processor does
 * it. A device that was asked for is missed with a warning; so is one that calculates wrongly.
 */
async function loadOnDevice(
  installed: InstalledModel,
  { device: wanted = 'auto', threads, warn }: Loading,
): Promise<TestedNeuralDepth | null> {
  for (const device of devicesToTry(wanted)) {
    const tested = await load(installed, threads, device);
    if ('problem' in tested) {
      if (wanted !== 'auto')
        warn(`The depth model cannot run on ${device}; the processor does it. The reason: ${tested.detail}`);
      continue;
    }
    const reference = await load(installed, threads, 'cpu');
    const difference =
      'problem' in reference || !reference.tested.depth || !tested.tested.depth
        ? 'there is nothing to compare it with'
        : disagreement(tested.tested.depth, reference.tested.depth);
    if (!('problem' in reference)) await reference.close();
    if (difference === null) return tested;
    warn(`The depth model is wrong on ${device}; the processor does it. The reason: ${difference}.`);
    await tested.close();
  }
  return null;
}

/** Loads a model and tries it on the small known picture. */
async function load(
  installed: InstalledModel,
  threads: number,
  device: Device,
): Promise<TestedNeuralDepth | Omit<UnusableModel, 'id'>> {
  let loaded: NeuralDepth;
  try {
    loaded = await loadNeuralDepth(installed, threads, device);
  } catch (error) {
    return { problem: 'damaged', detail: reasonOf(error) };
  }
  const tested = await selfTest((picture) => loaded.estimate(picture, { shortSide: SELF_TEST_SHORT_SIDE }));
  const detail = tested.problem ?? (tested.ms > SELF_TEST_LIMIT_MS ? `it takes ${Math.round(tested.ms)} ms` : null);
  if (detail === null) return { ...loaded, tested, device };
  await loaded.close();
  return { problem: 'selfTestFailed', detail };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
