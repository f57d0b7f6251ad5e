import type { DepthModelProblem } from '@framelift/contract/depth-models';
import type { DepthSource } from '../../types.ts';
import type { Device } from './devices.ts';

/** Active depth engine and whether it works; for operators. */
export interface EngineStatus {
  readonly depth: {
    readonly source: DepthSource;
    /** Display name: "Basic depth", "Depth Anything V2 Small". */
    readonly name: string;
    readonly licence: string;
    /**
     * Result on a small known picture. Only the built-in estimator stays active with `failed`, because it has no
     * fallback.
     */
    readonly selfTest: 'ok' | 'failed';
    readonly selfTestMs: number;
    readonly device: Device;
  };
  /** Installed models that are not used. */
  readonly unusable: readonly UnusableModel[];
  /** Messages about missing models and installed ones that cannot be used. */
  readonly warnings: readonly string[];
  readonly versions: {
    readonly node: string;
    readonly onnxRuntime: string;
    readonly sharp: string;
  };
}

export interface UnusableModel {
  readonly id: string;
  readonly problem: Extract<DepthModelProblem, 'damaged' | 'selfTestFailed'>;
  /** The runtime's words, in English. */
  readonly detail: string;
}
