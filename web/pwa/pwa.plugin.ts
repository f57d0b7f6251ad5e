import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { FIRST_LANGUAGE, LANGUAGES, type Language } from '@framelift/contract';
import type { Texts } from '@framelift/texts';
import type { Plugin } from 'vite';

const HERE = import.meta.dirname;
const TEXTS = `${HERE}/../../texts`;
/** The page's background in the dark theme (`INK` in `src/theme.ts`). */
const INK = '#0e0f13';

/** Types offered by the share menu of a phone. The server decides by the bytes what it accepts. */
const SHARED_TYPES = ['image/*', 'video/*', '.heic', '.heif', '.mkv', '.avi', '.mov'];

const read = (language: Language): Texts['install'] =>
  JSON.parse(readFileSync(`${TEXTS}/${language}/install.json`, 'utf8'));

const icon = (name: string, size: number, purpose: 'any' | 'maskable') => ({
  src: `/icons/${name}-${size}.png`,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
});

function manifestOf(language: Language, htmlLang: string): object {
  const texts = read(language);
  const shortcut = (name: string, url: string) => ({ name, url, icons: [icon('icon', 192, 'any')] });
  const screenshot = (name: string, sizes: string, form: 'narrow' | 'wide') => ({
    src: `/screenshots/${name}.jpg`,
    sizes,
    type: 'image/jpeg',
    form_factor: form,
    label: texts.screenshot,
  });
  return {
    id: '/',
    name: texts.name,
    short_name: 'Framelift',
    description: texts.description,
    lang: htmlLang,
    dir: 'ltr',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: INK,
    background_color: INK,
    categories: ['photo', 'entertainment'],
    icons: [
      icon('icon', 192, 'any'),
      icon('icon', 512, 'any'),
      icon('maskable', 192, 'maskable'),
      icon('maskable', 512, 'maskable'),
    ],
    screenshots: [screenshot('narrow', '720x1280', 'narrow'), screenshot('wide', '1280x800', 'wide')],
    shortcuts: [
      shortcut(texts.convert, '/player?action=upload'),
      shortcut(texts.pictures, '/menu/video'),
      shortcut(texts.frames, '/menu/frameSetting'),
    ],
    share_target: {
      action: '/share-target',
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { files: [{ name: 'files', accept: SHARED_TYPES }] },
    },
  };
}

/** Returns the offline page with its texts in every language; its script shows one of them. */
function offlinePage(): string {
  const parts = LANGUAGES.map(({ code, htmlLang }) => {
    const { offline } = read(code);
    const attributes = `lang="${htmlLang}" data-language="${code}"${code === FIRST_LANGUAGE ? '' : ' hidden'}`;
    return `<section ${attributes}>
      <h1 data-offline>${offline.title}</h1>
      <h1 data-unanswered hidden>${offline.unanswered}</h1>
      <p>${offline.text}</p>
      <button type="button">${offline.again}</button>
    </section>`;
  });
  return readFileSync(`${HERE}/offline.html`, 'utf8').replace('<!-- texts -->', parts.join('\n    '));
}

/**
 * Adds what an installed app needs to the build: a manifest per language, the offline page, and the service worker. The
 * worker's version is a hash of the build, so that each new build is a new worker with caches of its own.
 */
export function pwa(): Plugin {
  return {
    name: 'pwa',
    apply: 'build',
    generateBundle(_options, bundle) {
      const files = new Map<string, string>(
        LANGUAGES.map(({ code, htmlLang }) => [
          `manifest.${code}.webmanifest`,
          JSON.stringify(manifestOf(code, htmlLang), null, 2),
        ]),
      );
      files.set('offline.html', offlinePage());
      files.set('offline.js', readFileSync(`${HERE}/offline.js`, 'utf8'));
      const worker = readFileSync(`${HERE}/sw.js`, 'utf8');
      const hash = createHash('sha256').update(worker);
      for (const name of Object.keys(bundle).sort()) hash.update(`${name}\n`);
      for (const source of files.values()) hash.update(source);
      files.set('sw.js', worker.replace('__VERSION__', hash.digest('hex').slice(0, 16)));
      for (const [fileName, source] of files) this.emitFile({ type: 'asset', fileName, source });
    },
    transformIndexHtml: () => [
      {
        tag: 'link',
        attrs: { rel: 'manifest', href: `/manifest.${FIRST_LANGUAGE}.webmanifest` },
        injectTo: 'head',
      },
    ],
  };
}
