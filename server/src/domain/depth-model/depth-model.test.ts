import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConverter, NEURAL_MODELS, type NeuralModel } from '@framelift/engine';
import { type Hub, type HubMood, openHub } from '@framelift/engine/testing/hub';
import { testModel } from '@framelift/engine/testing/test-models';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../context.ts';
import { operatorSettings } from '../../platform/db/schema.ts';
import { openRoom } from '../../platform/room.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/time.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { ended, refusal, smallJpeg, upload } from '../../testing/uploads.ts';
import { keepDepthModel } from './keep-depth-model.ts';

const model = NEURAL_MODELS[0] as NeuralModel;
const bytes = testModel('brightness');
const sha256 = createHash('sha256').update(bytes).digest('hex');
/** Folder of the models; that of all keepers. */
const folder = mkdtempSync(join(tmpdir(), 'framelift-depth-model-'));
const file = join(folder, 'depth-anything-v2-small.onnx');
const waits = { timeout: 60_000, interval: 50 };

let app: TestApp;
let admin: ReturnType<TestApp['client']>;
let hub: Hub;
const lines: string[] = [];
beforeAll(async () => {
  app = await startTestApp(await openTestDatabase(), {
    converter: { neuralDir: folder },
    settings: { depthModel: { id: model.id, name: model.name, licence: model.licence, bytes: bytes.length } },
    onLog: (line) => lines.push(line),
  });
  admin = (await app.admin()).client;
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const keepers: (() => Promise<void>)[] = [];
/** Starts the part of a worker that looks after the model. @returns stops it, as at the end of the worker */
function keep(change: Partial<Context> = {}, where = folder): () => Promise<void> {
  const store = { folder: where, model, source: { address: hub.address, sha256 } };
  const stop = keepDepthModel({ ...app.context, ...change }, store, { pollMs: 50, pauseMs: 0, stallMs: 60_000 });
  keepers.push(stop);
  return stop;
}
beforeEach(async () => {
  hub = await openHub(bytes);
  lines.length = 0;
});
afterEach(async () => {
  await Promise.all(keepers.splice(0).map((stop) => stop()));
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  await app.context.db.delete(operatorSettings).where(eq(operatorSettings.name, 'depthModel'));
});

const told = async () => (await admin.call('depthModel')).model;
const reaches = (state: string) => expect.poll(async () => (await told())?.state, waits).toBe(state);
const logged = (text: string) => lines.filter((line) => line.includes(text)).map((line) => JSON.parse(line));

describe('the depth model of a new installation', () => {
  it('is fetched in the background, tried out and used, and an administrator sees how far it is', async () => {
    const member = app.client({ token: (await app.member()).token });
    const sent = await ended(member, (await upload(app, member, await smallJpeg(5, 240, 320))).id);
    expect(sent).toMatchObject({ depthSource: 'basic', betterDepth: false });
    expect(await told()).toMatchObject({ state: 'waiting', name: 'Depth Anything V2 Small', licence: 'Apache-2.0' });
    hub.mood = 'silent';
    keep();
    await expect.poll(async () => (await told())?.fetched, waits).toBe(Math.ceil(bytes.length / 2));
    expect(await told()).toMatchObject({ state: 'fetching', problem: null });
    expect(existsSync(file)).toBe(false);
    hub.goOn();
    await reaches('inUse');
    expect(readFileSync(file)).toEqual(Buffer.from(bytes));
    expect((await admin.call('engineStatus')).depth).toMatchObject({ source: `model:${model.id}`, device: 'cpu' });
    expect(logged('is being fetched')).toMatchObject([{ licence: 'Apache-2.0' }]);
    expect(logged('is in use')).toHaveLength(1);
    expect(hub.ranges).toEqual(['']);

    // A picture from before is offered the better depth, which keeps what was chosen and can be undone.
    const offered = () => member.call('media', { params: { id: sent.id } });
    await expect.poll(async () => (await offered()).betterDepth, waits).toBe(true);
    expect(await member.call('improveManyMedia', { input: { media_ids: [sent.id] } })).toMatchObject({
      started: [sent.id],
    });
    const { crop, effect } = sent;
    expect(await ended(member, sent.id)).toMatchObject({
      depthSource: `model:${model.id}`,
      betterDepth: false,
      crop,
      effect,
      canUndo: true,
    });
  });

  it('goes on after a restart of the worker where it was', async () => {
    hub.mood = 'silent';
    const stop = keep();
    const half = Math.ceil(bytes.length / 2);
    await expect.poll(async () => (await told())?.fetched, waits).toBe(half);
    await stop();
    hub.mood = 'well';
    keep();
    await reaches('inUse');
    expect(hub.ranges).toEqual(['', `bytes=${half}-`]);
  });

  it('is fetched by one of several processes that share the folder, and by the next one if that is stopped', async () => {
    hub.mood = 'silent';
    const stop = keep();
    await expect.poll(() => hub.ranges.length, waits).toBe(1);
    keep();
    keep();
    await expect.poll(async () => (await told())?.fetched, waits).toBeGreaterThan(0);
    expect(hub.ranges).toHaveLength(1);
    hub.mood = 'well';
    await stop();
    await reaches('inUse');
    expect(hub.ranges).toHaveLength(2);
  });
});

it('a worker that ends does not wait for the self-test, which the next one does', async () => {
  writeFileSync(file, bytes);
  const stop = keep();
  await reaches('checking');
  await stop();
  expect(await told()).toMatchObject({ state: 'checking' });
  keep();
  await reaches('inUse');
});

describe('whatever fails has its name, is logged once, and basic depth goes on:', () => {
  /** Pino's number of the level of warnings. */
  const WARN = 40;

  /** Starts a worker, waits for its failure, lets it try twice more, and returns what it said first. */
  async function failure() {
    keep();
    await reaches('failed');
    const first = await told();
    for (let again = 0; again < 2; again++) {
      const before = (await told())?.nextTryAt;
      app.clock.advance(25 * HOUR_MS);
      await expect.poll(async () => (await told())?.nextTryAt ?? before, waits).not.toBe(before);
      await reaches('failed');
    }
    expect(logged('is not in use').filter(({ level }) => level >= WARN)).toMatchObject([{ problem: first?.problem }]);
    expect(existsSync(file)).toBe(false);
    return first;
  }

  it.each<[HubMood, string, RegExp]>([
    ['page', 'webPage', /web page/],
    ['wrong', 'wrongFile', /SHA-256/],
    ['troubled', 'serverTrouble', /503/],
  ])('a hub that is %s', async (mood, problem, detail) => {
    hub.mood = mood;
    expect(await failure()).toMatchObject({ problem, detail: expect.stringMatching(detail) });
  });

  it('a hub that has no such file; when it has, an administrator need not wait', async () => {
    hub.mood = 'missing';
    expect(await failure()).toMatchObject({ problem: 'notThere', detail: expect.stringMatching(/404/) });
    hub.mood = 'well';
    expect((await admin.call('fetchDepthModel')).model).toMatchObject({ state: 'waiting' });
    await reaches('inUse');
  });

  it('a machine without a network', async () => {
    await hub.close();
    expect(await failure()).toMatchObject({ problem: 'offline' });
    hub = await openHub(bytes);
  });

  it('a disk without room, of which nothing is taken', async () => {
    keep({ room: openRoom([tmpdir()], Number.MAX_SAFE_INTEGER) });
    await reaches('failed');
    expect(await told()).toMatchObject({ problem: 'diskFull' });
    expect(hub.ranges).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('a folder that cannot be written to', async () => {
    const blocked = join(folder, 'blocked');
    writeFileSync(blocked, '');
    keep({}, join(blocked, 'models'));
    await reaches('failed');
    expect(await told()).toMatchObject({ problem: 'notWritable' });
  });

  it('a machine whose memory is too small for the self-test, which is tried again after a while', async () => {
    writeFileSync(file, bytes);
    const small = createConverter({ processes: 1, memoryLimitMb: 10, timeLimitMs: 120_000, neuralDir: folder });
    try {
      keep({ converter: small });
      await reaches('failed');
      const first = await told();
      expect(first).toMatchObject({ problem: 'selfTestFailed', detail: expect.stringMatching(/10 MB of memory/) });
      expect(Date.parse(first?.nextTryAt ?? '')).toBeGreaterThan(app.clock.now().getTime());
      app.clock.advance(2 * MINUTE_MS);
      await expect.poll(async () => (await told())?.nextTryAt ?? first?.nextTryAt, waits).not.toBe(first?.nextTryAt);
      expect(logged('is not in use').filter(({ level }) => level >= WARN)).toHaveLength(1);
      expect(logged('could not be looked after')).toEqual([]);
      expect(hub.ranges).toEqual([]);
    } finally {
      await small.close();
    }
  });

  it('an installed file that was cut off; asked to try again, a worker fetches it anew', async () => {
    writeFileSync(file, bytes.subarray(0, 200));
    keep();
    await reaches('failed');
    expect(await told()).toMatchObject({ problem: 'damaged', nextTryAt: null });
    expect((await admin.call('engineStatus')).depth).toMatchObject({ source: 'basic', selfTest: 'ok' });
    expect(hub.ranges).toEqual([]);
    await admin.call('fetchDepthModel');
    await reaches('inUse');
    expect(readFileSync(file)).toEqual(Buffer.from(bytes));
  });
});

describe('an administrator', () => {
  it('removes the model, which stays away until it is asked for again', async () => {
    keep();
    await reaches('inUse');
    expect((await admin.call('removeDepthModel')).model).toMatchObject({ state: 'removed', fetched: 0 });
    await expect.poll(() => existsSync(file), waits).toBe(false);
    expect((await admin.call('engineStatus')).depth.source).toBe('basic');
    // Neither the running worker nor another start fetches it.
    keep();
    app.clock.advance(48 * HOUR_MS);
    await expect.poll(() => logged('was removed').length, waits).toBe(1);
    expect(hub.ranges).toHaveLength(1);
    expect(await told()).toMatchObject({ state: 'removed' });
    await admin.call('fetchDepthModel');
    await reaches('inUse');
    expect(hub.ranges).toHaveLength(2);
    const entries = await admin.call('auditLog', { input: {} });
    expect(entries.data.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['depthModel.asked', 'depthModel.removed']),
    );
  });

  it('stops a download by removing the model', async () => {
    hub.mood = 'silent';
    keep();
    await expect.poll(async () => (await told())?.fetched, waits).toBeGreaterThan(0);
    await admin.call('removeDepthModel');
    await expect.poll(() => readdirSync(folder), waits).toEqual([]);
    expect(await told()).toMatchObject({ state: 'removed' });
  });

  it('finds a model in use that was installed by hand after it was removed', async () => {
    const stop = keep();
    await reaches('inUse');
    await admin.call('removeDepthModel');
    await expect.poll(() => existsSync(file), waits).toBe(false);
    await stop();
    writeFileSync(file, bytes);
    keep();
    await reaches('inUse');
    expect(existsSync(file)).toBe(true);
  });

  it('sees that nobody is at a download any more whose worker was killed', async () => {
    hub.mood = 'silent';
    const stop = keep();
    await expect.poll(async () => (await told())?.fetched, waits).toBeGreaterThan(0);
    await stop();
    app.clock.advance(3 * MINUTE_MS);
    expect(await told()).toMatchObject({ state: 'waiting', fetched: Math.ceil(bytes.length / 2) });
  });

  it('alone may see and change it', async () => {
    const { token } = await app.member();
    for (const name of ['depthModel', 'fetchDepthModel', 'removeDepthModel'] as const)
      expect((await refusal(app.client({ token }).call(name))).code).toBe('notAllowed');
  });
});
