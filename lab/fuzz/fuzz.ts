/**
 * Sends damaged files through a converter, like a server does with untrusted uploads. Each must end with a result or a
 * typed error, in time, and leave no files behind.
 */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENGINE_ERRORS, EngineError } from '../../engine/src/errors.ts';
import { type Converter, createConverter } from '../../engine/src/process/converter.ts';
import { writeDepth } from '../../engine/src/process/depth-file.ts';
import type { DeviceProfile } from '../../engine/src/types.ts';
import { isVideo, type Kind } from './kinds.ts';
import { mutate } from './mutate.ts';
import { Random } from './random.ts';
import { makeSeeds } from './seeds.ts';

export interface FuzzOptions {
  readonly count: number;
  readonly seed: number;
  readonly kinds: readonly Kind[];
  /** Number of the first input; one finding is reproduced with its number and a count of 1. */
  readonly first?: number;
  /** Share of the inputs that are converted, not only probed; 0.25 by default. */
  readonly converted?: number;
  /** Folder for failing inputs. */
  readonly keep?: string;
  readonly onFinding?: (finding: Finding) => void;
  readonly onProgress?: (done: number) => void;
}

export interface Finding {
  readonly index: number;
  readonly kind: Kind;
  readonly how: readonly string[];
  readonly problem: string;
}

export interface FuzzResult {
  readonly inputs: number;
  readonly conversions: number;
  /** Number of results, and of each typed error. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Forked processes that crashed on an input: contained, but worth knowing. */
  readonly crashes: readonly Finding[];
  /** Inputs that failed a conversion without an error that blames the file. */
  readonly unexplained: readonly Finding[];
  /** Inputs ended by the time limit; there should be none on an idle machine. */
  readonly slow: readonly Finding[];
  /** Violations: untyped errors, hangs, leftover files. */
  readonly findings: readonly Finding[];
  readonly slowestMs: number;
}

const TIME_LIMIT_MS = 20_000;
/** A probe has its own limit; two processes may start in between. */
const HANG_MS = 3 * TIME_LIMIT_MS;
const MEMORY_LIMIT_MB = 1500;
const DEVICE: DeviceProfile = {
  slug: 'fuzz',
  name: 'Fuzz',
  ratio: [1, 1],
  resolution: { width: 320, height: 320 },
  format: 'sbs',
  disparityBudget: 8,
};
/**
 * Share of conversions without a given depth, by kind. Most are given one: the estimate takes a second and sees only
 * pixels. Without one, embedded depth is searched first; only some kinds can carry it.
 */
const WITHOUT_DEPTH: Readonly<Record<string, number>> = { jpeg: 0.25, heic: 0.25 };
const SELDOM = 0.04;
/** Share of the unconverted pictures that are imported as depth maps. */
const AS_DEPTH = 0.2;

export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { count, seed, kinds, first = 0, converted = 0.25, keep, onFinding, onProgress } = options;
  const scratch = await mkdtemp(join(tmpdir(), 'framelift-fuzz-'));
  const temporary = join(scratch, 'tmp');
  const seeds = new Map<Kind, Buffer[]>();
  for (const kind of kinds) seeds.set(kind, await makeSeeds(kind));
  const everything = [...seeds.values()].flat();
  // The forked processes inherit this variable, so that their leftover files are found.
  const before = process.env['TMPDIR'];
  await mkdir(temporary);
  process.env['TMPDIR'] = temporary;
  const converter = createConverter({
    processes: 1,
    memoryLimitMb: MEMORY_LIMIT_MB,
    timeLimitMs: TIME_LIMIT_MS,
    video: { maxWorkMs: TIME_LIMIT_MS },
    log: () => {},
  });
  const depth = join(scratch, 'depth.png');
  await writeDepth(
    { data: Float32Array.from({ length: 400 }, (_, i) => i / 400), width: 20, height: 20, source: 'member' },
    depth,
  );
  const findings: Finding[] = [];
  const crashes: Finding[] = [];
  const unexplained: Finding[] = [];
  const slow: Finding[] = [];
  const outcomes: Record<string, number> = {};
  let conversions = 0;
  let slowestMs = 0;
  try {
    for (let index = first; index < first + count; index++) {
      const random = new Random(Math.imul(seed, 1_000_003) ^ index);
      const kind = kinds[index % kinds.length] as Kind;
      const { bytes, how } = mutate(kind, random.pick(seeds.get(kind) as Buffer[]), everything, random);
      const note = (list: Finding[], problem: string) => {
        const finding = { index, kind, how, problem };
        list.push(finding);
        return finding;
      };
      const input = join(scratch, 'input');
      const outDir = join(scratch, 'out');
      const workDir = join(scratch, 'work');
      await writeFile(input, bytes);
      await mkdir(outDir);
      await mkdir(workDir);
      const one = { input, outDir, workDir, depth, converter };
      const convert = random.share() < converted;
      if (convert) conversions++;
      const started = performance.now();
      const outcome = await Promise.race([attempt(kind, one, convert, random), hang()]);
      slowestMs = Math.max(slowestMs, performance.now() - started);
      const problems = [...outcome.problems];
      outcomes[outcome.name] = (outcomes[outcome.name] ?? 0) + 1;
      if (/was killed by|ended with code/.test(outcome.message)) note(crashes, outcome.message);
      else if (outcome.name === 'conversionFailed') note(unexplained, outcome.message);
      else if (outcome.name === 'conversionTimedOut') note(slow, outcome.message);
      const left = (await readdir(outDir)).filter((name) => !outcome.files.includes(name));
      if (left.length > 0) problems.push(`left in the folder of results: ${left.join(', ')}`);
      const lost = await readdir(temporary);
      if (lost.length > 0) problems.push(`left in the folder for temporary files: ${lost.join(', ')}`);
      for (const problem of problems) onFinding?.(note(findings, problem));
      if (problems.length > 0 && keep) {
        await mkdir(keep, { recursive: true });
        await writeFile(join(keep, `${seed}-${index}.${kind}`), bytes);
      }
      for (const folder of [outDir, workDir, ...lost.map((name) => join(temporary, name))])
        await rm(folder, { recursive: true, force: true });
      onProgress?.(index - first + 1);
    }
  } finally {
    await converter.close();
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    await rm(scratch, { recursive: true, force: true });
  }
  return {
    inputs: count,
    conversions,
    outcomes,
    crashes,
    unexplained,
    slow,
    findings,
    slowestMs: Math.round(slowestMs),
  };
}

interface One {
  readonly input: string;
  readonly outDir: string;
  readonly workDir: string;
  readonly depth: string;
  readonly converter: Converter;
}

interface Outcome {
  /** `result`, or the error code. */
  readonly name: string;
  readonly message: string;
  /** Names of the expected files in the output folder. */
  readonly files: readonly string[];
  readonly problems: readonly string[];
}

async function attempt(kind: Kind, one: One, convert: boolean, random: Random): Promise<Outcome> {
  try {
    const files = isVideo(kind) ? await video(one, convert, random) : await picture(kind, one, convert, random);
    return { name: 'result', message: '', files, problems: [] };
  } catch (error) {
    if (error instanceof EngineError && ENGINE_ERRORS.includes(error.code))
      return { name: error.code, message: error.message, files: [], problems: [] };
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { name: 'untyped', message: text, files: [], problems: [`no typed error: ${text}`] };
  }
}

async function picture(kind: Kind, { input, outDir, depth, converter }: One, convert: boolean, random: Random) {
  await converter.probe(input);
  if (!convert) return random.share() < AS_DEPTH ? depthMap(converter, input, outDir) : [];
  const flat = random.share() < 0.3;
  const given = random.share() >= (WITHOUT_DEPTH[kind] ?? SELDOM);
  const { files, depthFile } = await converter.convert({
    kind: 'picture',
    input,
    device: DEVICE,
    effect: flat ? 0 : 100,
    formats: ['sbs'],
    outDir,
    name: 'fuzz',
    ...(given && !flat ? { depth: { path: depth, source: 'member' as const } } : {}),
  });
  return [...files.map(({ name }) => name), ...(depthFile ? ['depth-map.png'] : [])];
}

/** Imports the input as a member's depth map. */
async function depthMap(converter: Converter, input: string, outDir: string): Promise<string[]> {
  await converter.depthMap({ path: input, outPath: join(outDir, 'taken.png') });
  return ['taken.png'];
}

async function video({ input, outDir, workDir, converter }: One, convert: boolean, random: Random) {
  await converter.probeVideo(input);
  if (!convert) return [];
  if (random.share() < 0.5) {
    await converter.videoStill({ path: input, seconds: random.share(), outPath: join(outDir, 'still.jpg') });
    return ['still.jpg'];
  }
  const result = await converter.convert({
    kind: 'video',
    input,
    device: DEVICE,
    effect: random.share() < 0.5 ? 0 : 100,
    tier: 'fast',
    format: 'sbs',
    outDir,
    workDir,
    name: 'fuzz',
  });
  return [result.file.path, result.cover].map((path) => path.slice(outDir.length + 1));
}

function hang(): Promise<Outcome> {
  return new Promise((resolve) => {
    const timer = setTimeout(
      () => resolve({ name: 'hang', message: '', files: [], problems: [`no end after ${HANG_MS} ms`] }),
      HANG_MS,
    );
    timer.unref();
  });
}
