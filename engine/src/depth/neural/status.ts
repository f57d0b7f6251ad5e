import type { DepthSource } from '../../types.ts';

/** Which depth engine makes the conversions of now on, and whether it works; for operators. */
export interface EngineStatus {
  readonly depth: {
    readonly source: DepthSource;
    /** As people read it: "Basic depth", "Depth Anything V2 Small". */
    readonly name: string;
    readonly licence: string;
    /** How a small known picture fared. Only the built-in estimator is ever kept with `failed`: it is the last one. */
    readonly selfTest: 'ok' | 'failed';
    readonly selfTestMs: number;
  };
  /** Sentences about what is missing, or was installed and cannot be used. */
  readonly warnings: readonly string[];
  readonly versions: {
    readonly node: string;
    readonly onnxRuntime: string;
    readonly sharp: string;
  };
}
