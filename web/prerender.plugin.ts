import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { htmlLangOf, LANGUAGES, type Language } from '@framelift/contract';
import { texts } from '@framelift/texts/vite';
import react from '@vitejs/plugin-react';
import { transform } from 'lightningcss';
import { build, type Plugin, type Rolldown } from 'vite';

const HERE = import.meta.dirname;
const LANDING = 'src/features/landing/LandingPage.tsx';
const RENDERER = `${HERE}/dist/.prerender`;

/**
 * Writes the landing page in each language with everything that a visitor sees first, and the styles of that, so that it is
 * painted before any other file of the app has arrived: `landing.<language>.html`, made from `index.html` by the app's own
 * components. The app takes it over (`main.tsx`).
 */
export function prerender(): Plugin {
  return {
    name: 'prerender',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    writeBundle: {
      sequential: true,
      async handler({ dir = `${HERE}/dist` }, bundle) {
        const render = await buildRenderer();
        const page = readFileSync(`${dir}/index.html`, 'utf8');
        for (const { code } of LANGUAGES) {
          const { scripts, sheets } = filesOf(bundle, code);
          const rendered = await render(code);
          const css = criticalCss(
            sheets.map((name) => readFileSync(`${dir}/${name}`, 'utf8')).join('\n'),
            page + rendered.html,
          );
          const others = scripts.filter((name) => !page.includes(`"/${name}"`));
          writeFileSync(`${dir}/landing.${code}.html`, assemble(page, code, rendered, others, css));
        }
        rmSync(RENDERER, { recursive: true });
      },
    },
  };
}

type Render = (language: Language) => Promise<Rendered>;

/** Builds the app once more, for Node. The names of its classes are those of the browsers' build: hashes of the files. */
async function buildRenderer(): Promise<Render> {
  await build({
    root: HERE,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [react(), texts('common')],
    ssr: { noExternal: true },
    build: { ssr: 'src/prerender.tsx', outDir: RENDERER, emptyOutDir: true },
  });
  const { renderLanding } = await import(pathToFileURL(`${RENDERER}/prerender.js`).href);
  return renderLanding;
}

interface Files {
  readonly scripts: readonly string[];
  readonly sheets: readonly string[];
}

/** Returns the files of the start script, the landing page and its texts, in the order in which a browser gets them. */
function filesOf(bundle: Rolldown.OutputBundle, language: Language): Files {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const scripts = new Set<string>();
  const sheets = new Set<string>();
  const visit = (chunk: Rolldown.OutputChunk | undefined) => {
    if (!chunk || scripts.has(chunk.fileName)) return;
    scripts.add(chunk.fileName);
    for (const name of chunk.imports) visit(chunks.find(({ fileName }) => fileName === name));
    for (const name of chunk.viteMetadata?.importedCss ?? []) sheets.add(name);
  };
  visit(chunks.find(({ isEntry }) => isEntry));
  visit(chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(LANDING)));
  visit(chunks.find(({ name }) => name === `texts-${language}`));
  visit(chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/texts/${language}/depth.json`)));
  return { scripts: [...scripts], sheets: [...sheets] };
}

const matches = (text: string, pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, found = '']) => found));
const without = (css: string, unusedSymbols: string[]) =>
  transform({ filename: 'landing.css', code: Buffer.from(css), minify: true, unusedSymbols }).code.toString();

/** Returns the styles without rules for classes that the page does not have, and without variables that nothing reads. */
function criticalCss(css: string, html: string): string {
  const used = new Set([...matches(html, /class="([^"]*)"/g)].flatMap((names) => names.split(/\s+/)));
  const named = [...matches(css, /\.(-?[_a-zA-Z][\w-]*)/g)];
  let rest = without(
    css,
    named.filter((name) => !used.has(name)),
  );
  for (;;) {
    const read = matches(rest + html, /var\((--[\w-]+)/g);
    const next = without(
      rest,
      [...matches(rest, /(--[\w-]+)\s*:/g)].filter((name) => !read.has(name)),
    );
    // Variables that only others of those had read are left for the next round.
    if (next.length === rest.length) return next;
    rest = next;
  }
}

interface Rendered {
  readonly html: string;
  readonly title: string;
  readonly description: string;
}

/** Files that the first paint does without, with the line that names them. */
const LATER =
  /\s*<(?:link\b[^>]*rel="(?:preload|modulepreload|stylesheet|manifest)"[^>]*>|script type="module"[^>]*><\/script>)/g;

function assemble(
  page: string,
  language: Language,
  { html, title, description }: Rendered,
  scripts: readonly string[],
  css: string,
): string {
  const inline = (file: string) => `<script>${readFileSync(`${HERE}/${file}`, 'utf8')}</script>`;
  const preloads = scripts.map((name) => `<link rel="modulepreload" crossorigin href="/${name}">`);
  const later = [...page.matchAll(LATER)].map(([line]) => line).join('') + preloads.join('');
  const template = later.replace(/manifest\.\w+\.webmanifest/, `manifest.${language}.webmanifest`);
  const replacements: readonly (readonly [string | RegExp, string])[] = [
    [/<html lang="[^"]*"/, `<html lang="${htmlLangOf(language)}"`],
    [/<title>[^<]*<\/title>/, `<title>${title} – Framelift</title>`],
    [/(?<=<meta name="description" content=")[^"]*/, description],
    // The server allows these inline scripts by their hashes: files would cost a round trip before the first paint.
    ['<script src="/scheme.js"></script>', inline('public/scheme.js') + inline('start-when-painted.js')],
    ['</head>', `<style>${css}</style>\n    <template id="later">${template}</template>\n  </head>`],
    ['<div id="root"></div>', `<div id="root" data-prerendered="${language}">${html}</div>`],
  ];
  return replacements.reduce(
    (whole, [part, by]) => {
      if (whole.search(part) < 0)
        throw new Error(`index.html has no ${part} any more, which the landing page replaces.`);
      return whole.replace(part, () => by);
    },
    page.replace(LATER, ''),
  );
}
