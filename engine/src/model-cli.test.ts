import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createConverter } from './process/converter.ts';
import { requireBuilt } from './testing/built.ts';
import { testModel } from './testing/test-models.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-model-cli-'));
const models = join(folder, 'data', 'models');
const bytes = testModel('brightness');
const sha256 = createHash('sha256').update(bytes).digest('hex');
beforeAll(() => {
  requireBuilt();
  mkdirSync(models, { recursive: true });
  writeFileSync(join(folder, 'small.onnx'), bytes);
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, DATA_DIR: undefined, NODE_OPTIONS: '' };
    const child = spawn(process.execPath, [join(import.meta.dirname, 'model-cli.ts'), ...args], { cwd: folder, env });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      err += text;
    });
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

test('a file of the operator is installed, tried, listed, used by a converter, and removed again', async () => {
  const installed = await run('depth-anything-v2-small', '--from', 'small.onnx', '--sha256', sha256.toUpperCase());
  expect(installed).toMatchObject({ code: 0, err: '' });
  expect(installed.out).toMatch(/Apache-2\.0[\s\S]*self-test: ok/);
  expect((await run('--list')).out).toMatch(/Apache-2\.0 {2}installed \(fp32\)/);

  const converter = createConverter({ processes: 1, memoryLimitMb: 2000, timeLimitMs: 60_000, neuralDir: models });
  const { depth } = await converter.status().finally(() => converter.close());
  expect(depth).toMatchObject({ source: 'model:depth-anything-v2-small', licence: 'Apache-2.0', selfTest: 'ok' });

  expect((await run('depth-anything-v2-small', '--remove')).out).toMatch(/is removed/);
  expect(readdirSync(models)).toEqual([]);
  expect((await run('--list')).out).toMatch(/not installed/);
});

test('an address is fetched and verified; a file with another checksum is refused and not kept', async () => {
  const server = createServer((_, response) => response.end(bytes));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/small.onnx`;
  const args = ['depth-anything-v2-small', '--from', address];
  expect(await run(...args, '--sha256', sha256)).toMatchObject({ code: 0, err: '' });
  await run('depth-anything-v2-small', '--remove');
  // Without `--sha256`, the file must match the catalogue.
  const other = await run(...args);
  server.close();
  expect(other).toMatchObject({ code: 1, err: expect.stringMatching(/bytes, not 99060839/) });
  expect(readdirSync(models)).toEqual([]);
});

test("the runtime's reports to its maker are off: nothing of them is written", async () => {
  const empty = mkdtempSync(join(folder, 'empty-'));
  vi.stubEnv('TMPDIR', empty).stubEnv('HOME', empty);
  const converter = createConverter({ processes: 1, memoryLimitMb: 2000, timeLimitMs: 60_000 });
  const { depth } = await converter.status().finally(() => converter.close());
  vi.unstubAllEnvs();
  expect(depth.selfTest).toBe('ok');
  expect(readdirSync(empty)).toEqual([]);
});

test('a file that is no working model is said to be none', async () => {
  const scalar = testModel('scalar');
  writeFileSync(join(folder, 'scalar.onnx'), scalar);
  const checksum = createHash('sha256').update(scalar).digest('hex');
  const tried = await run('depth-anything-v2-small', '--from', 'scalar.onnx', '--sha256', checksum);
  expect(tried).toMatchObject({ code: 1, err: expect.stringMatching(/fails its self-test; basic depth is used/) });
  await run('depth-anything-v2-small', '--remove');
});

test.each([
  [['depth-anything-v2-large'], 1, /refused.*CC-BY-NC-4\.0.*forbids commercial use/],
  [['depth-pro', '--from', 'small.onnx', '--sha256', '0'.repeat(64)], 1, /depth-pro is refused/],
  [['no-such-model'], 2, /There is no model no-such-model/],
  [['depth-anything-v2-small', '--precision', 'int4'], 2, /fp32 or fp16/],
  [['depth-anything-v2-small', '--sha256', sha256], 2, /belongs to --from/],
  [['depth-anything-v2-small', '--from', 'small.onnx', '--sha256', 'abc'], 2, /64 hexadecimal digits/],
  [['depth-anything-v2-small', '--from', 'nowhere.onnx'], 2, /There is no file/],
  [[], 2, /Name one model/],
] as const)('%j ends with %i and says why', async (args, code, reason) => {
  expect(await run(...args)).toMatchObject({ code, err: expect.stringMatching(reason) });
});
