// Tests the rules of .dependency-cruiser.mjs with a planted violation of each kind.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from './lib/root.mjs';

/** [file, its import, the violated rule or null] */
const PLANTS = [
  ['contract/src/a.ts', 'node:fs', 'contract'],
  ['contract/src/a.ts', '@framelift/engine', 'contract'],
  ['contract/src/a.ts', 'zod', null],
  ['contract/src/a.test.ts', 'node:fs', null],
  ['texts/a.ts', '../lab/bench.ts', 'texts'],
  ['texts/a.ts', '@framelift/contract', null],

  ['engine/src/render/a.ts', 'fastify', 'engine'],
  ['engine/src/render/a.ts', '../../../lab/bench.ts', 'engine'],
  ['engine/src/render/a.ts', 'sharp', null],
  ['engine/src/geometry/a.ts', 'sharp', 'engine-in-browsers'],
  ['engine/src/geometry/a.ts', 'node:path', 'engine-in-browsers'],
  ['engine/src/geometry/a.ts', '../formats/index.ts', null],
  ['lab/a.ts', '../web/src/ui/Toast.tsx', 'laboratory'],

  ['server/src/platform/a.ts', '../domain/media/media.ts', 'platform'],
  ['server/src/domain/media/a.ts', 'fastify', 'domain'],
  ['server/src/domain/media/a.ts', 'node:http', 'domain'],
  ['server/src/domain/media/a.ts', '../../http/mount.ts', 'domain'],
  ['server/src/domain/media/a.ts', '../album/album.ts', 'domain-media'],
  ['server/src/domain/album/a.ts', '../order/order.ts', 'domain-album'],
  ['server/src/domain/user/a.ts', '../admin/admin.ts', 'domain-user'],
  ['server/src/domain/album/a.ts', '../media/media.ts', null],
  ['server/src/domain/admin/a.ts', '../order/order.ts', null],
  ['server/src/domain/media/a.ts', '@framelift/engine', null],
  ['server/src/http/a.ts', '../domain/media/media.sql.ts', 'http'],
  ['server/src/http/a.ts', '../domain/media/media.ts', null],
  ['server/src/a.ts', './main.ts', 'main'],
  ['server/src/a.ts', 'react', 'server'],
  ['server/src/a.ts', '../../contract/src/index.ts', 'by-name'],

  ['web/src/ui/a.tsx', '../api/client.ts', 'ui'],
  ['web/src/api/a.ts', '../ui/Toast.tsx', 'api'],
  ['web/src/shared/a.ts', '../features/auth/LoginCard.tsx', 'shared'],
  ['web/src/features/auth/a.ts', '../upload/UploadDialog.tsx', 'features'],
  ['web/src/features/auth/deep/a.ts', '../../upload/UploadDialog.tsx', 'features'],
  ['web/src/features/auth/deep/a.ts', '../LoginCard.tsx', null],
  ['web/src/features/auth/a.ts', '../../shared/part.ts', null],
  ['web/src/features/auth/a.ts', 'node:fs', 'browser-no-node'],
  ['web/src/features/auth/a.ts', '@framelift/engine', 'browser'],
  ['web/src/features/auth/a.ts', '@framelift/engine/geometry', null],
  ['web/src/routes.tsx', './features/auth/LoginCard.tsx', null],
  ['frame/src/a.ts', 'react', 'frame'],
  ['frame/src/a.ts', 'node:fs', 'browser-no-node'],

  ['scripts/a.mjs', 'zod', 'scripts'],
  ['web/src/ui/a.ts', './nowhere.ts', 'resolvable'],
];

const TARGETS = [
  'engine/src/index.ts',
  'engine/src/geometry/index.ts',
  'engine/src/formats/index.ts',
  'contract/src/index.ts',
  'lab/bench.ts',
  'server/src/app.ts',
  'server/src/main.ts',
  'server/src/http/mount.ts',
  'server/src/domain/media/media.ts',
  'server/src/domain/media/upload/upload.ts',
  'server/src/domain/media/media.sql.ts',
  'server/src/domain/album/album.ts',
  'server/src/domain/order/order.ts',
  'server/src/domain/admin/admin.ts',
  'web/src/api/client.ts',
  'web/src/ui/Toast.tsx',
  'web/src/shared/part.ts',
  'web/src/features/auth/LoginCard.tsx',
  'web/src/features/upload/UploadDialog.tsx',
];

/** Returns a separate file name for each case, so that one run checks all of them. */
const fileOf = (index) => PLANTS[index][0].replace(/\ba\.((test\.)?(tsx?|mjs))$/, `plant${index}.$1`);

let folder;
/** Rules that each file violates. */
const broken = new Map();

function plant(path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'framelift-imports-'));
  cpSync(`${ROOT}.dependency-cruiser.mjs`, join(folder, '.dependency-cruiser.mjs'));
  for (const path of TARGETS) plant(path, 'export const thing = 1;\nexport type Thing = 1;\n');
  for (const name of ['zod', 'fastify', 'react', 'sharp']) {
    plant(`node_modules/${name}/package.json`, '{ "main": "index.js" }');
    plant(`node_modules/${name}/index.js`, 'export const thing = 1;\n');
  }
  mkdirSync(join(folder, 'node_modules/@framelift'));
  for (const name of ['contract', 'engine']) {
    cpSync(`${ROOT}${name}/package.json`, join(folder, name, 'package.json'));
    symlinkSync(join(folder, name), join(folder, 'node_modules/@framelift', name), 'junction');
  }
  // Type imports count as well.
  PLANTS.forEach(([path, from], index) => {
    const type = path.endsWith('.mjs') ? '' : 'type ';
    plant(fileOf(index), `import { ${type}Thing } from '${from}';\nexport ${type}{ Thing };\n`);
  });
  plant('engine/src/depth/one.ts', "import type { Two } from './two.ts';\nexport type One = Two | 1;\n");
  plant('engine/src/depth/two.ts', "import type { One } from './one.ts';\nexport type Two = One | 2;\n");

  const program = `${ROOT}node_modules/dependency-cruiser/bin/dependency-cruiser.mjs`;
  const folders = ['contract', 'texts', 'engine', 'lab', 'server', 'web', 'frame', 'scripts'];
  const { stdout, stderr } = spawnSync(process.execPath, [program, '--output-type=json', ...folders], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (!stdout.startsWith('{')) throw new Error(`No judgement came:\n${stdout}${stderr}`);
  for (const { from, rule } of JSON.parse(stdout).summary.violations)
    broken.set(from, [...(broken.get(from) ?? []), rule.name]);
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(PLANTS.map(([path, from, rule], index) => ({ path, from, verdict: rule ?? 'allowed', rule, index })))(
  '$path imports $from: $verdict',
  ({ rule, index }) => {
    if (rule) expect(broken.get(fileOf(index)) ?? []).toContain(rule);
    else expect(broken.get(fileOf(index)) ?? []).toEqual([]);
  },
);

test('a circle of types is refused', () => {
  expect([
    ...(broken.get('engine/src/depth/one.ts') ?? []),
    ...(broken.get('engine/src/depth/two.ts') ?? []),
  ]).toContain('no-circles');
});
