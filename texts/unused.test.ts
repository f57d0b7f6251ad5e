import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { areas, flatten, readTexts } from './testing.ts';
import type { Area } from './types.ts';

const ROOT = `${import.meta.dirname}/..`;

/** Keys that are chosen outside the files that use their area: area, prefix of the keys, and where they are chosen. */
const CHOSEN_ELSEWHERE: readonly (readonly [Area, string, string])[] = [
  ['errors', '', 'every code of ERRORS: errors.test.ts compares both'],
  ['auth', 'invalidPhone', 'web/src/features/auth/check-registration.ts'],
  ['auth', 'password', 'the problems in web/src/ui/new-password.ts'],
  ['install', 'offline', 'offlinePage in web/pwa/pwa.plugin.ts'],
  ['depth', 'still', 'CanvasState in web/src/shared/depth-view/use-depth-canvas.ts'],
  ['depth', 'lost', 'CanvasState in web/src/shared/depth-view/use-depth-canvas.ts'],
];

function* sourcesOf(folder: string): Generator<{ path: string; source: string }> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* sourcesOf(path);
    else if (/\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
      yield { path: path.slice(ROOT.length + 1), source: readFileSync(path, 'utf8') };
  }
}
const sources = [
  ...['web/src', 'frame/src', 'server/src'].flatMap((folder) => [...sourcesOf(`${ROOT}/${folder}`)]),
  ...['texts/vite.ts', 'web/pwa/pwa.plugin.ts'].map((path) => ({
    path,
    source: readFileSync(`${ROOT}/${path}`, 'utf8'),
  })),
];

/** Returns whether a source uses texts of this area. */
function uses(area: Area, { path, source }: { path: string; source: string }): boolean {
  if (path === 'texts/vite.ts') return area === 'common' || area === 'frame';
  if (area === 'frame') return path.startsWith('frame/');
  if (area === 'common' && /useTranslation\(\)|i18next\.t\(/.test(source)) return true;
  const named = `(?:useTranslation|loadNamespaces|textsIn)\\([^)]*'${area}'|['"\`]${area}:|Texts\\['${area}'\\]`;
  return new RegExp(named).test(source);
}

const FILLED_IN = '\\$\\{(?:[^{}`]|\\{[^{}]*\\})*\\}';
const LITERAL = /['"`](?:\w+:)?([\w.-]+)['"`]|\.(\w+)/g;
const TEMPLATE = new RegExp(`\`(?:\\w+:)?((?:[\\w.-]|${FILLED_IN})*)\``, 'g');

/** Returns a test for the keys that a source may use: string literals, property names, and template literals. */
function keysIn(source: string): (key: string) => boolean {
  const literals = new Set([...source.matchAll(LITERAL)].map(([, quoted, property]) => quoted ?? property));
  const templates = [...source.matchAll(TEMPLATE)]
    .map(([, template = '']) => template)
    .filter((template) => template.includes('${'))
    .map((template) => template.split(new RegExp(FILLED_IN)))
    .filter((parts) => parts.some((part) => part.includes('.')))
    .map((parts) => new RegExp(`^${parts.map((part) => part.replaceAll('.', '\\.')).join('[\\w-]+')}$`));
  return (key) => literals.has(key) || templates.some((template) => template.test(key));
}

const unusedOf = (area: Area, keys: Iterable<string>) => {
  const found = sources.filter((source) => uses(area, source)).map(({ source }) => keysIn(source));
  return [...keys].filter(
    (key) =>
      !found.some((isMeant) => isMeant(key.replace(/_(zero|one|two|few|many|other)$/, ''))) &&
      !CHOSEN_ELSEWHERE.some(([of, prefix]) => of === area && key.startsWith(prefix)),
  );
};

it.each(areas)('every text of %s is used', (area) => {
  expect(unusedOf(area, flatten(readTexts('en', area)).keys())).toEqual([]);
});

it('a text that nobody uses is found, in each area', () => {
  for (const area of areas.filter((name) => name !== 'errors')) {
    expect(unusedOf(area, ['nobodyUsesThis', 'nor.this.deep']), area).toEqual(['nobodyUsesThis', 'nor.this.deep']);
  }
});
