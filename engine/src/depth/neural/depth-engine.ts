import { env } from 'onnxruntime-node';
import { sharp } from '../../decode/decoder.ts';
import { EngineError } from '../../errors.ts';
import { type BasicDepth, createBasicDepth } from '../index.ts';
import { installedModels, loadNeuralDepth, type NeuralDepth } from './neural-depth.ts';
import { type SelfTest, selfTest } from './self-test.ts';
import type { EngineStatus } from './status.ts';

export interface DepthEngineOptions {
  /** Threads per network run, 2 by default. */
  readonly threads?: number | undefined;
  /** Folder of the prepared models of the built-in estimator. */
  readonly modelsDir?: string | undefined;
  /** Folder of neural models installed by the operator. */
  readonly neuralDir?: string | undefined;
  /** Receives warnings for the operator. */
  readonly warn?: ((sentence: string) => void) | undefined;
}

export interface DepthEngine extends BasicDepth {
  /** Returns the active estimator and the result of its self-test on a small known picture. */
  status(): Promise<EngineStatus>;
}

/** Limit for the small self-test; a machine above it would take minutes per picture. */
const SELF_TEST_LIMIT_MS = 30_000;
const SELF_TEST_SHORT_SIDE = 140;

interface TestedNeuralDepth extends NeuralDepth {
  readonly tested: SelfTest;
}

/**
 * Creates the best depth engine for this machine: the installed neural model if it passes its self-test, otherwise the
 * built-in estimator. The latter also handles pictures on which the model fails.
 */
export async function createDepthEngine(options: DepthEngineOptions): Promise<DepthEngine> {
  const { threads = 2, modelsDir, neuralDir } = options;
  const warnings: string[] = [];
  const warn = (sentence: string) => {
    warnings.push(sentence);
    options.warn?.(sentence);
  };
  const neural = neuralDir === undefined ? null : await loadInstalled(neuralDir, threads, warn);
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
        const selfTestMs = Math.round(neural.tested.ms);
        return { depth: { source: `model:${id}`, name, licence, selfTest: 'ok', selfTestMs }, warnings, versions };
      }
      const { ms, problem } = await selfTest((await loadBasic()).estimate);
      return {
        depth: {
          source: 'basic',
          name: 'Basic depth',
          licence: 'AGPL-3.0-or-later',
          selfTest: problem === null ? 'ok' : 'failed',
          selfTestMs: Math.round(ms),
        },
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

/** Returns the first installed model that passes its self-test. */
async function loadInstalled(
  neuralDir: string,
  threads: number,
  warn: (sentence: string) => void,
): Promise<TestedNeuralDepth | null> {
  for (const installed of installedModels(neuralDir)) {
    const { name } = installed.model;
    const outcome = await loadNeuralDepth(installed, threads).catch(reasonOf);
    if (typeof outcome === 'string') {
      warn(`${name} is installed and cannot be loaded; basic depth is used. ${outcome}`);
      continue;
    }
    const tested = await selfTest((picture) => outcome.estimate(picture, { shortSide: SELF_TEST_SHORT_SIDE }));
    const problem = tested.problem ?? (tested.ms > SELF_TEST_LIMIT_MS ? `it takes ${Math.round(tested.ms)} ms` : null);
    if (problem === null) return { ...outcome, tested };
    warn(`${name} is installed and fails its self-test; basic depth is used. The reason: ${problem}.`);
    await outcome.close();
  }
  return null;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
