import type { DepthSource } from '../../types.ts';

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
  };
  /** Messages about missing models and installed ones that cannot be used. */
  readonly warnings: readonly string[];
  readonly versions: {
    readonly node: string;
    readonly onnxRuntime: string;
    readonly sharp: string;
  };
}
