import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { DEVICES } from '../formats/index.ts';
import { requireBuilt } from '../testing/built.ts';
import { blankPng, drawScene, encoder } from '../testing/pictures.ts';
import { testModel } from '../testing/test-models.ts';
import type { PictureRequest, Progress, Step } from '../types.ts';
import { type Converter, type ConverterOptions, createConverter } from './converter.ts';
import { writeDepth } from './depth-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-converter-'));
const photo = join(folder, 'photo.jpg');
/** A stored depth map for tests that skip the estimate. */
const depth = { path: join(folder, 'depth.png'), source: 'member' } as const;
const portrait = DEVICES[0] as (typeof DEVICES)[number];
const LIMITS: ConverterOptions = { processes: 1, memoryLimitMb: 3000, timeLimitMs: 60_000 };

beforeAll(async () => {
  requireBuilt();
  writeFileSync(photo, await encoder(drawScene(900, 1200)).jpeg().toBuffer());
  const data = Float32Array.from({ length: 30 * 40 }, (_, i) => i / 1200);
  await writeDepth({ data, width: 30, height: 40, source: 'member' }, depth.path);
});
afterAll(() => rmSync(folder, { recursive: true }));

const open: Converter[] = [];
function converter(options: Partial<ConverterOptions> = {}): Converter {
  const made = createConverter({ ...LIMITS, ...options });
  open.push(made);
  return made;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
  expect(children()).toEqual([]);
});

function request(change: Partial<PictureRequest> = {}): PictureRequest {
  const outDir = mkdtempSync(join(folder, 'out-'));
  return {
    kind: 'picture',
    input: photo,
    device: portrait,
    effect: 100,
    outDir,
    name: 'photo',
    formats: ['quilt'],
    ...change,
  };
}

/** Returns the ids of the conversion processes of this test process. */
function children(parent = process.pid): number[] {
  try {
    const found = execFileSync('pgrep', ['-P', String(parent), '-f', 'convert-process'], { encoding: 'utf8' });
    return found.trim().split('\n').map(Number);
  } catch {
    return []; // pgrep ends with 1 when there are none
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie has ended; its parent has not reaped it yet.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Runs a conversion and calls back once when it reaches the given step. */
function runUntil(one: Converter, step: Step, then: () => void, wanted = request(), signal?: AbortSignal) {
  let reached = false;
  return one.convert(wanted, {
    ...(signal ? { signal } : {}),
    onProgress: (progress) => {
      if (reached || progress.step !== step) return;
      reached = true;
      then();
    },
  });
}

test('converts in a process of its own, tells progress that never falls, and leaves only the results', async () => {
  const one = converter();
  const wanted = request({ preview: true, formats: ['quilt', 'flat'] });
  const told: Progress[] = [];
  const result = await one.convert(wanted, { onProgress: (progress) => told.push(progress) });
  expect(children()).toHaveLength(1);
  const names = [
    ...result.files.map(({ name }) => name),
    ...Object.values(result.preview ?? {}).map((path) => basename(path)),
    basename(result.depthFile ?? ''),
  ];
  expect(readdirSync(wanted.outDir).sort()).toEqual(names.sort());
  expect(result.files.map(({ format, path }) => [format, path])).toEqual([
    ['quilt', join(wanted.outDir, 'photo_qs8x6a0.75.jpg')],
    ['flat', join(wanted.outDir, 'photo_flat.jpg')],
  ]);
  expect(result).toMatchObject({ source: { width: 900, height: 1200 }, depthSource: 'basic' });
  expect(result.peakRssMb).toBeGreaterThan(50);
  const fractions = told.map(({ fraction }) => fraction);
  expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
  expect(fractions.at(-1)).toBe(1);
  expect([...new Set(told.map(({ step }) => step))]).toEqual([
    'open',
    'crop',
    'depth',
    'layers',
    'views',
    'pack',
    'check',
  ]);
});

test('the process is kept for the next conversion, and gives way to the server', async () => {
  const one = converter();
  await one.convert(request({ effect: 0 }));
  const [first] = children();
  await one.convert(request({ effect: 0 }));
  expect(children()).toEqual([first]);
  expect(getPriority(first as number)).toBe(getPriority() + 5);
});

test.skipIf(process.platform !== 'linux')("the process does not see the server's secrets", async () => {
  vi.stubEnv('S3_SECRET_ACCESS_KEY', 'do-not-tell');
  const one = converter();
  await one.convert(request({ effect: 0 }));
  vi.unstubAllEnvs();
  const [pid] = children();
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('do-not-tell');
});

test('conversions wait their turn, first come first served', async () => {
  const one = converter();
  const ended: string[] = [];
  const run = (name: string) => one.convert(request({ effect: 0, name })).then(() => ended.push(name));
  await Promise.all(['a', 'b', 'c'].map(run));
  expect(ended).toEqual(['a', 'b', 'c']);
});

test('a crash in native code fails its own conversion alone, and leaves nothing behind', async () => {
  const one = converter({ processes: 2 });
  const crashing = request();
  const known = children();
  const failing = runUntil(
    one,
    'depth',
    () => process.kill(children().find((pid) => !known.includes(pid)) as number, 'SIGSEGV'),
    crashing,
  );
  const failed = expect(failing).rejects.toMatchObject({ code: 'conversionFailed', message: /SIGSEGV/ });
  await failed;
  expect(readdirSync(crashing.outDir)).toEqual([]);
  const survivor = request({ effect: 0 });
  await one.convert(survivor);
  expect(readdirSync(survivor.outDir)).toEqual(['photo_flat.jpg']);
});

test('a process without a sign of life is ended, and the next conversion gets a new one [S6]', async () => {
  const one = converter({ silenceMs: 1000 });
  const stuck = request();
  const running = runUntil(one, 'depth', () => process.kill(children()[0] as number, 'SIGSTOP'), stuck);
  await expect(running).rejects.toMatchObject({ code: 'conversionInterrupted', message: /no sign of life/ });
  expect(readdirSync(stuck.outDir)).toEqual([]);
  expect(children()).toEqual([]);
  await one.convert(request({ effect: 0 }));
});

test('a process that was killed is not the fault of its file [S7]', async () => {
  const one = converter();
  const running = runUntil(one, 'depth', () => process.kill(children()[0] as number, 'SIGKILL'));
  await expect(running).rejects.toMatchObject({ code: 'conversionInterrupted', message: /SIGKILL/ });
});

test('the other process goes on when one is killed', async () => {
  const one = converter({ processes: 2 });
  const both = new Set<number>();
  let killed = 0;
  const onProgress = () => {
    for (const pid of children()) both.add(pid);
    if (both.size === 2 && killed === 0) {
      killed = [...both][0] as number;
      process.kill(killed, 'SIGKILL');
    }
  };
  const outcomes = await Promise.allSettled([
    one.convert(request(), { onProgress }),
    one.convert(request(), { onProgress }),
  ]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a cancelled conversion stops, leaves nothing, and keeps its process warm', async () => {
  const one = converter();
  for (const step of ['open', 'crop', 'depth', 'layers', 'views', 'pack', 'check'] as const) {
    const cancel = new AbortController();
    const wanted = request(step === 'depth' ? {} : { depth });
    const running = runUntil(one, step, () => cancel.abort(), wanted, cancel.signal);
    await expect(running, step).rejects.toMatchObject({ code: 'conversionCancelled' });
    expect(readdirSync(wanted.outDir)).toEqual([]);
  }
  const [pid] = children();
  await one.convert(request({ effect: 0 }));
  expect(children()).toEqual([pid]);
});

test('a process that does not stop when cancelled is killed after the grace [A43]', async () => {
  const one = converter({ graceMs: 0 });
  const cancel = new AbortController();
  const wanted = request();
  const running = runUntil(one, 'depth', () => cancel.abort(), wanted, cancel.signal);
  await expect(running).rejects.toMatchObject({ code: 'conversionCancelled' });
  expect(readdirSync(wanted.outDir)).toEqual([]);
  await one.convert(request({ effect: 0 }));
});

test('a conversion over the time limit is ended with its process, and leaves nothing', async () => {
  const one = converter({ timeLimitMs: 150 });
  const wanted = request();
  await expect(one.convert(wanted)).rejects.toMatchObject({ code: 'conversionTimedOut' });
  expect(readdirSync(wanted.outDir)).toEqual([]);
  expect(children()).toEqual([]);
});

test.skipIf(process.platform === 'win32')('a conversion over the memory limit is ended with its process', async () => {
  const one = converter({ memoryLimitMb: 110 });
  const wanted = request();
  await expect(one.convert(wanted)).rejects.toMatchObject({ code: 'conversionFailed', message: /110 MB/ });
  expect(readdirSync(wanted.outDir)).toEqual([]);
});

test('an idle process is let go', async () => {
  const one = converter({ idleMs: 50 });
  await one.convert(request({ effect: 0 }));
  await vi.waitFor(() => expect(children()).toEqual([]), { timeout: 10_000 });
  await one.convert(request({ effect: 0 }));
});

test('an error of the picture comes through with its code, and the process goes on', async () => {
  const one = converter();
  const bomb = join(folder, 'bomb.png');
  writeFileSync(bomb, blankPng(30_000, 30_000));
  const wanted = request({ input: bomb });
  await expect(one.convert(wanted)).rejects.toMatchObject({ name: 'EngineError', code: 'pictureTooLarge' });
  expect(readdirSync(wanted.outDir)).toEqual([]);
  const [pid] = children();
  await expect(one.convert(request({ input: join(folder, 'absent.jpg') }))).rejects.toMatchObject({
    code: 'conversionFailed',
  });
  await one.convert(request({ effect: 0 }));
  expect(children()).toEqual([pid]);
});

test('a folder that is not there fails the conversion', async () => {
  const wanted = request({ outDir: join(folder, 'absent') });
  await expect(converter().convert(wanted)).rejects.toMatchObject({ code: 'conversionFailed' });
});

test('probe does not wait for conversions', async () => {
  const one = converter();
  let probed: unknown;
  await runUntil(one, 'depth', () => {
    probed = one.probe(photo);
  });
  expect(await probed).toEqual({ type: 'image/jpeg', width: 900, height: 1200 });
  const text = join(folder, 'text.jpg');
  writeFileSync(text, 'no picture');
  await expect(one.probe(text)).rejects.toMatchObject({ code: 'notAPicture' });
});

test('a depth map of too many pixels is refused by its header [S4]', async () => {
  const one = converter();
  const path = join(folder, 'large-depth.png');
  // Damaged below its header: decoding it would find that instead.
  writeFileSync(path, blankPng(9900, 9900).subarray(0, 200));
  const call = one.depthMap({ path, outPath: join(folder, 'taken.png') });
  await expect(call).rejects.toMatchObject({ code: 'depthMapTooLarge' });
});

test('a picture that somebody waits for is converted beside the others [S4]', async () => {
  const one = converter();
  const order: string[] = [];
  let asked: Promise<unknown> = Promise.resolve();
  const running = runUntil(one, 'depth', () => {
    asked = one.convert(request({ effect: 0 }), { interactive: true }).then(() => order.push('asked'));
  });
  const waiting = one.convert(request({ effect: 0 })).then(() => order.push('waiting'));
  await Promise.all([running, waiting]);
  await asked;
  expect(order).toEqual(['asked', 'waiting']);
});

test('a member waits for no conversion of a guest, which gives way [S4]', async () => {
  const one = converter();
  const order: string[] = [];
  const running = one.convert(request({ effect: 0 }), { isGuest: true });
  const [guests] = await vi.waitFor(() => {
    expect(children()).toHaveLength(1);
    return children();
  });
  const waiting = one.convert(request(), { isGuest: true }).then(() => order.push('guest'));
  await one.convert(request({ effect: 0 })).then(() => order.push('member'));
  await Promise.all([running, waiting]);
  expect(order).toEqual(['member', 'guest']);
  const [members] = children().filter((pid) => pid !== guests);
  expect([members, guests].map((pid) => getPriority(pid))).toEqual(
    [5, 14].map((more) => Math.min(19, getPriority() + more)),
  );
});

test('close rejects what runs and what waits, and leaves no process', async () => {
  const one = converter();
  const wanted = [request(), request()] as const;
  let leftWhenClosed: string[] | undefined;
  const close = async () => {
    await one.close();
    leftWhenClosed = readdirSync(wanted[0].outDir);
  };
  const running = runUntil(one, 'depth', close, wanted[0]);
  const waiting = one.convert(wanted[1]);
  const outcomes = await Promise.allSettled([running, waiting]);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: 'conversionCancelled' } });
  for (const { outDir } of wanted) expect(readdirSync(outDir)).toEqual([]);
  await vi.waitFor(() => expect(leftWhenClosed).toEqual([]));
  await expect(one.convert(request())).rejects.toMatchObject({ code: 'conversionCancelled' });
});

test('a conversion that is just beginning when the converter is closed starts no process', async () => {
  const one = converter();
  const wanted = request();
  const running = one.convert(wanted);
  const closing = one.close();
  await expect(running).rejects.toMatchObject({ code: 'conversionCancelled' });
  await closing;
  expect(readdirSync(wanted.outDir)).toEqual([]);
});

test('the process ends by itself when the server is killed', async () => {
  const script = join(folder, 'parent.mts');
  const module = pathToFileURL(new URL('./converter.ts', import.meta.url).pathname).href;
  const wanted = request();
  writeFileSync(
    script,
    `import { createConverter } from ${JSON.stringify(module)};
     const converter = createConverter(${JSON.stringify(LIMITS)});
     await converter.convert(${JSON.stringify(wanted)}, { onProgress: ({ step }) => console.log(step) });`,
  );
  const parent = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: parent.stdout })) if (line === 'depth') break;
  const [orphan] = children(parent.pid);
  expect(isAlive(orphan as number)).toBe(true);
  parent.kill('SIGKILL');
  await vi.waitFor(() => expect(isAlive(orphan as number)).toBe(false), { timeout: 20_000 });
  // The process did not finish its work.
  const [staging] = readdirSync(wanted.outDir);
  expect(readdirSync(join(wanted.outDir, staging as string))).toEqual([]);
});

test('the status names the built-in estimator where nothing else is installed, and leaves no process', async () => {
  const one = converter();
  const status = await one.status();
  expect(status.depth).toMatchObject({ source: 'basic', name: 'Basic depth', selfTest: 'ok' });
  expect(status.warnings).toEqual([]);
  expect(status.versions.onnxRuntime).toMatch(/^1\.\d+/);
  expect(status.versions.node).toBe(process.versions.node);
  await vi.waitFor(() => expect(children()).toEqual([]), { timeout: 10_000 });
  expect(await one.status()).toBe(status);
});

test('a model that is installed or removed takes effect with the next picture, without a restart', async () => {
  const neuralDir = mkdtempSync(join(folder, 'models-'));
  const file = join(neuralDir, 'depth-anything-v2-small.onnx');
  const one = converter({ neuralDir });
  const source = async () => (await one.convert(request({ formats: ['depth'] }))).depthSource;
  expect(await source()).toBe('basic');
  writeFileSync(file, testModel('brightness'));
  expect(await source()).toBe('model:depth-anything-v2-small');
  expect((await one.status()).depth.source).toBe('model:depth-anything-v2-small');
  // Damaged afterwards, as by a broken disk: the next picture is converted all the same.
  writeFileSync(file, testModel('brightness').subarray(0, 100));
  expect(await source()).toBe('basic');
  expect((await one.status()).unusable).toMatchObject([{ id: 'depth-anything-v2-small', problem: 'damaged' }]);
});

test('of installed models only the one that is named counts', async () => {
  const neuralDir = mkdtempSync(join(folder, 'models-'));
  writeFileSync(join(neuralDir, 'depth-anything-v2-small.onnx'), testModel('brightness'));
  const one = converter({ neuralDir, neuralModel: 'another' });
  expect((await one.status()).depth.source).toBe('basic');
});
