import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from './lib/root.mjs';

const WORKSPACES = ['contract', 'texts', 'web', 'frame', 'server'];
const run = promisify(execFile);

let copy;
const links = (from, to) => {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) if (name !== '@framelift') symlinkSync(`${from}/${name}`, `${to}/${name}`);
};

/** Adds Esperanto with one folder and one line; its texts are the English ones with a prefix. */
beforeAll(() => {
  copy = mkdtempSync(`${tmpdir()}/framelift-language-`);
  links(`${ROOT}node_modules`, `${copy}/node_modules`);
  mkdirSync(`${copy}/node_modules/@framelift`);
  symlinkSync(`${ROOT}engine`, `${copy}/node_modules/@framelift/engine`);
  for (const file of ['package.json', 'tsconfig.base.json']) cpSync(`${ROOT}${file}`, `${copy}/${file}`);
  for (const workspace of WORKSPACES) {
    cpSync(`${ROOT}${workspace}`, `${copy}/${workspace}`, {
      recursive: true,
      filter: (path) => !/\/(node_modules|dist|migrations)$|\.test\.tsx?$/.test(path),
    });
    symlinkSync(`${copy}/${workspace}`, `${copy}/node_modules/@framelift/${workspace}`);
    if (readdirSync(`${ROOT}${workspace}`).includes('node_modules'))
      links(`${ROOT}${workspace}/node_modules`, `${copy}/${workspace}/node_modules`);
  }
  mkdirSync(`${copy}/scripts/lib`, { recursive: true });
  cpSync(`${ROOT}scripts/lib/language-probe.mjs`, `${copy}/scripts/lib/language-probe.mjs`);

  const mark = (text) => (typeof text === 'string' ? `ĉ ${text}` : mapped(text));
  const mapped = (texts) => Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, mark(text)]));
  mkdirSync(`${copy}/texts/eo`);
  for (const file of readdirSync(`${ROOT}texts/en`))
    writeFileSync(
      `${copy}/texts/eo/${file}`,
      JSON.stringify(mapped(JSON.parse(readFileSync(`${ROOT}texts/en/${file}`, 'utf8')))),
    );
  const list = `${copy}/contract/src/limits.ts`;
  const line = "  { code: 'eo', name: 'Esperanto', short: 'EO', htmlLang: 'eo' },\n";
  writeFileSync(
    list,
    readFileSync(list, 'utf8').replace('export const LANGUAGES = [\n', (start) => start + line),
  );
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test.concurrent.each(['web', 'server', 'frame'])(
  'with one folder and one line more, the types of %s hold',
  async (workspace) => {
    const compiler = `${ROOT}node_modules/typescript/bin/tsc`;
    const checked = await run(process.execPath, [compiler, '-p', `${copy}/${workspace}`]).catch((error) => error);
    expect(checked.stdout).toBe('');
  },
);

test.concurrent('with one folder and one line more, server, emails, web and frames speak the language', async () => {
  const { stdout } = await run(process.execPath, [`${copy}/scripts/lib/language-probe.mjs`], { cwd: copy });
  expect(JSON.parse(stdout)).toEqual({
    server: {
      error: [403, 'ĉ Your account is not allowed to do this.'],
      notification: { title: 'ĉ A frame was paired', content: 'ĉ “Kitchen” is now one of your frames.' },
      email: ['ĉ A frame was paired with your account', true, true],
      announcement: true,
    },
    web: {
      offered: 'Esperanto',
      current: 'eo',
      htmlLang: 'eo',
      manifest: '/manifest.eo.webmanifest',
      cookie: true,
      texts: ['ĉ Cancel', 'ĉ Log in'],
      error: 'ĉ ĉ Network Error / Please check your network quality',
      withoutScript: '<p lang="eo">ĉ Framelift needs JavaScript.</p>',
    },
    frame: {
      texts: ['eo', 'ĉ Pair this screen'],
      withoutScript: '<p lang="eo">ĉ This screen needs JavaScript to show your pictures.</p>',
    },
  });
});
