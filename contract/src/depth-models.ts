/** Display names of the neural depth models by id, as stored in `depthSource` after `model:`. */
export const DEPTH_MODEL_NAMES = {
  'depth-anything-v2-small': 'Depth Anything V2 Small',
} as const satisfies Readonly<Record<string, string>>;
export type DepthModelId = keyof typeof DEPTH_MODEL_NAMES;

/** Why a depth model is not in use. */
export const DEPTH_MODEL_PROBLEMS = [
  /** No connection to its address could be made. */
  'offline',
  /** The connection broke or stalled again and again. */
  'interrupted',
  /** The server has no such file or refuses it. */
  'notThere',
  /** The server has a problem of its own. */
  'serverTrouble',
  /** A web page came instead of the file: a proxy or the login page of a network. */
  'webPage',
  /** Size or checksum differ. */
  'wrongFile',
  'diskFull',
  /** The folder cannot be written to. */
  'notWritable',
  /** The installed file cannot be loaded, because it is damaged or no model. */
  'damaged',
  /** It runs, and what it says about a known picture is wrong, or takes too long. */
  'selfTestFailed',
] as const;
export type DepthModelProblem = (typeof DEPTH_MODEL_PROBLEMS)[number];
