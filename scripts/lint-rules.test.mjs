// The directions of imports are only as good as the rules that watch them: every forbidden one is planted here once.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from './lib/root.mjs';

/** [where, what it imports, what the rule keeps apart] */
const FORBIDDEN = [
  ['contract/src/a.ts', 'node:fs', 'the contract reads a file'],
  ['contract/src/a.ts', 'fastify', 'the contract knows HTTP'],
  ['contract/src/a.ts', 'react', 'the contract knows React'],
  ['contract/src/a.ts', '@framelift/engine/geometry', 'the contract imports the engine'],
  ['contract/src/a.ts', '../../server/src/config.ts', 'the contract reaches into the server'],

  ['engine/src/pipeline/a.ts', '@framelift/server', 'the engine imports the server'],
  ['engine/src/pipeline/a.ts', '@framelift/web/src/theme.ts', 'the engine imports the web app'],
  ['engine/src/pipeline/a.ts', '../../../server/src/config.ts', 'the engine reaches into the server'],
  ['engine/src/pipeline/a.ts', 'fastify', 'the engine knows HTTP'],
  ['engine/src/pipeline/a.ts', 'drizzle-orm/pg-core', 'the engine knows the database'],
  ['engine/src/pipeline/a.ts', 'react', 'the engine knows the screen'],
  ['engine/src/geometry/a.ts', 'node:path', 'the geometry needs Node'],
  ['engine/src/geometry/a.ts', 'sharp', 'the geometry needs a native library'],
  ['engine/src/geometry/a.ts', '../views/warp.ts', 'the geometry imports the views'],
  ['engine/src/geometry/a.ts', '@framelift/server', 'the geometry imports the server'],
  ['engine/src/formats/a.ts', 'onnxruntime-node', 'the formats need a native library'],
  ['engine/src/formats/a.ts', '../pack/index.ts', 'the formats import the packing'],

  ['server/src/domain/media/a.ts', 'fastify', 'the domain knows HTTP'],
  ['server/src/domain/media/a.ts', '@fastify/cookie', 'the domain knows a plug-in of HTTP'],
  ['server/src/domain/media/a.ts', 'node:http', 'the domain knows HTTP'],
  ['server/src/domain/media/a.ts', '../../http/mount.ts', 'the domain imports the adapter'],
  ['server/src/domain/media/a.ts', '../../app.ts', 'the domain imports the app'],
  ['server/src/domain/media/a.ts', '../../main.ts', 'the domain imports main'],
  ['server/src/domain/media/a.ts', '../../config.ts', 'the domain imports the settings'],
  ['server/src/domain/media/a.ts', '@framelift/web', 'the domain imports the screen'],
  ['server/src/domain/media/a.ts', '../account/account.sql.ts', 'a domain uses the SQL of another'],
  ['server/src/storage/a.ts', '../domain/media/finish.ts', 'storage imports the domain'],
  ['server/src/jobs/a.ts', '../http/mount.ts', 'the queue imports the adapter'],
  ['server/src/mail/a.ts', '../app.ts', 'mail imports the app'],
  ['server/src/db/a.ts', '../domain/media/finish.ts', 'the database imports the domain'],
  ['server/src/http/a.ts', '../domain/media/media.sql.ts', 'HTTP runs SQL'],
  ['server/src/http/a.ts', '../app.ts', 'HTTP imports the app'],
  ['server/src/http/a.ts', '../main.ts', 'HTTP imports main'],
  ['server/src/a.ts', './main.ts', 'a part of the server imports main'],

  ['web/src/api/a.ts', 'node:fs', 'the web app needs Node'],
  ['web/src/api/a.ts', '@framelift/server', 'the web app imports the server'],
  ['web/src/api/a.ts', '../../../server/src/domain/media/finish.ts', 'the web app reaches into the server'],
  ['web/src/api/a.ts', '@framelift/engine', 'the web app imports the whole engine'],
  ['web/src/api/a.ts', '../../../engine/src/pack/index.ts', 'the web app reaches into the engine'],
  ['web/src/ui/a.ts', '../features/auth/LoginCard.tsx', 'a shared part imports a feature'],
  ['web/src/ui/a.ts', '../routes.tsx', 'a shared part imports the routes'],
  ['web/src/api/a.ts', '../ui/Toast.tsx', 'a call imports the screen'],
  ['web/src/features/auth/a.ts', '../upload/UploadDialog.tsx', 'a feature imports another'],
  ['web/src/features/auth/deep/a.ts', '../../upload/UploadDialog.tsx', 'a feature imports another from below'],
  ['web/src/features/auth/a.ts', '../../features/upload/UploadDialog.tsx', 'a feature imports another by its full way'],
  ['web/src/features/auth/a.ts', '../brand-new/Page.tsx', 'a feature imports one that nobody listed'],
  ['web/src/features/auth/a.ts', '../../routes.tsx', 'a feature imports the routes'],
  ['web/src/features/auth/a.ts', 'node:fs', 'a feature needs Node'],
  ['web/src/features/auth/a.ts', '@framelift/engine', 'a feature imports the whole engine'],

  ['frame/src/a.ts', 'node:fs', "the frame's page needs Node"],
  ['frame/src/a.ts', '@mantine/core', "the frame's page imports Mantine"],
  ['frame/src/a.ts', 'react', "the frame's page imports React"],
  ['frame/src/a.ts', '@framelift/web', "the frame's page imports the web app"],
  ['frame/src/a.ts', '../../web/src/ui/Logo.tsx', "the frame's page reaches into the web app"],
];

const ALLOWED = [
  ['contract/src/a.ts', 'zod'],
  ['contract/src/a.test.ts', 'node:fs'],
  ['engine/src/geometry/a.ts', '../types.ts'],
  ['engine/src/geometry/a.test.ts', 'node:fs'],
  ['engine/src/formats/a.ts', '../geometry/index.ts'],
  ['engine/src/pipeline/a.ts', '../views/index.ts'],
  ['engine/src/pipeline/a.ts', 'sharp'],
  ['server/src/domain/media/a.ts', '../account/find.ts'],
  ['server/src/domain/media/a.ts', './media.sql.ts'],
  ['server/src/domain/media/a.ts', '../../context.ts'],
  ['server/src/domain/media/a.ts', '../../db/schema.ts'],
  ['server/src/domain/media/a.ts', '@framelift/engine'],
  ['server/src/http/a.ts', '../domain/media/finish.ts'],
  ['server/src/app.ts', './http/mount.ts'],
  ['server/src/main.ts', './app.ts'],
  ['web/src/api/a.ts', '@framelift/contract'],
  ['web/src/features/auth/a.test.tsx', 'node:fs'],
  ['web/src/features/auth/a.ts', '@framelift/engine/geometry'],
  ['web/src/features/auth/a.ts', './LoginCard.tsx'],
  ['web/src/features/auth/a.ts', '../../ui/Toast.tsx'],
  ['web/src/features/auth/deep/a.ts', '../LoginCard.tsx'],
  ['web/src/features/auth/a.ts', '../../api/session.ts'],
  ['web/src/routes.tsx', './features/auth/LoginCard.tsx'],
  ['web/src/main.tsx', './routes.tsx'],
  ['frame/src/a.ts', '@framelift/engine/geometry'],
];

let folder;
/** Files of each planted import, by number, so that one run of the linter judges them all. */
const forbiddenFile = (index) => numbered(FORBIDDEN[index][0], `bad${index}`);
const allowedFile = (index) => numbered(ALLOWED[index][0], `good${index}`);
// A rule that names a file (app.ts, main.ts) must meet that very name; every other plant gets a name of its own.
const numbered = (path, mark) => path.replace(/\ba\.((test\.)?tsx?)$/, `${mark}.$1`);

function plant(path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** The rules that each file breaks, by one run of the linter with the project's own settings. */
function lint() {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [`${ROOT}node_modules/@biomejs/biome/bin/biome`, 'lint', '--reporter=json', '--max-diagnostics=none', '.'],
    { cwd: folder, encoding: 'utf8' },
  );
  if (!stdout.startsWith('{')) throw new Error(`The linter said nothing usable:\n${stdout}${stderr}`);
  const broken = new Map();
  for (const { category, location } of JSON.parse(stdout).diagnostics) {
    const path = location.path.replaceAll('\\', '/');
    broken.set(path, [...(broken.get(path) ?? []), category]);
  }
  return broken;
}

const DIRECTION = 'lint/style/noRestrictedImports';
let broken;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'framelift-lint-'));
  for (const part of ['biome.json', '.gitignore', 'scripts/lint'])
    cpSync(`${ROOT}${part}`, join(folder, part), { recursive: true });
  const importing = (from) => `import { thing } from '${from}';\n\nexport const used = thing;\n`;
  FORBIDDEN.forEach(([, from], index) => {
    plant(forbiddenFile(index), importing(from));
  });
  ALLOWED.forEach(([, from], index) => {
    plant(allowedFile(index), importing(from));
  });
  plant('engine/src/depth/one.ts', "import { two } from './two.ts';\n\nexport const one: number = two + 1;\n");
  plant('engine/src/depth/two.ts', "import { one } from './one.ts';\n\nexport const two: number = one + 1;\n");
  plant('server/src/domain/order/env.ts', 'export const port = process.env.PORT;\n');
  plant('server/src/domain/order/clock.ts', 'export const now = Date.now();\n');
  plant('server/src/domain/order/day.ts', 'export const day = (at: Date): Date => new Date(at.getTime());\n');
  broken = lint();
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(FORBIDDEN.map(([path, from, what], index) => ({ what, path, from, index })))(
  'it is refused when $what',
  ({ index }) => {
    expect(broken.get(forbiddenFile(index)) ?? []).toContain(DIRECTION);
  },
);

test.each(ALLOWED.map(([path, from], index) => ({ path, from, index })))('$path may import $from', ({ index }) => {
  expect(broken.get(allowedFile(index)) ?? []).not.toContain(DIRECTION);
});

test('a circle of imports is refused', () => {
  expect(broken.get('engine/src/depth/one.ts')).toContain('lint/suspicious/noImportCycles');
});

test('the domain reads neither the environment nor the clock of the machine', () => {
  expect(broken.get('server/src/domain/order/env.ts')).toContain('lint/style/noProcessEnv');
  expect(broken.get('server/src/domain/order/clock.ts')).toBeDefined();
  expect(broken.get('server/src/domain/order/day.ts')).toBeUndefined();
});
