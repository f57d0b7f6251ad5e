import { env } from 'onnxruntime-node';
import { type BasicDepth, createBasicDepth } from '../depth/index.ts';
import { sharp } from '../picture/decoder.ts';
import { selfTest } from './self-test.ts';
import type { EngineStatus } from './status.ts';

export interface DepthEngineOptions {
  readonly threads?: number | undefined;
  /** Folder of the prepared models of the built-in estimator. */
  readonly modelsDir?: string | undefined;
  /** Folder of neural models that the operator installed. */
  readonly neuralDir?: string | undefined;
  /** Told what an operator should know. */
  readonly warn?: ((sentence: string) => void) | undefined;
}

export interface DepthEngine extends BasicDepth {
  /** Tries the engine with a small known picture. */
  status(): Promise<EngineStatus>;
}

/** The best depth engine of this machine. */
export async function createDepthEngine({ threads, modelsDir, warn }: DepthEngineOptions): Promise<DepthEngine> {
  const basic = await createBasicDepth({
    ...(threads === undefined ? {} : { threads }),
    ...(modelsDir === undefined ? {} : { modelsDir }),
  });
  for (const warning of basic.warnings) warn?.(warning);
  return {
    ...basic,
    async status() {
      const { ms, problem } = await selfTest(basic.estimate);
      const failure = problem === null ? [] : [`The built-in depth estimator fails its self-test: ${problem}.`];
      return {
        depth: {
          source: 'basic',
          name: 'Basic depth',
          licence: 'AGPL-3.0-or-later',
          selfTest: problem === null ? 'ok' : 'failed',
          selfTestMs: Math.round(ms),
        },
        warnings: [...basic.warnings, ...failure],
        versions: {
          node: process.versions.node,
          onnxRuntime: env.versions.node ?? '',
          sharp: sharp.versions.sharp ?? '',
        },
      };
    },
  };
}
