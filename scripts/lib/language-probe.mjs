// Runs in a copy of the tree with an added language (see new-language.test.mjs) and prints which parts support it.
import { readFileSync } from 'node:fs';
import { ApiError, announcement, byLanguage, LANGUAGES } from '@framelift/contract';
import { createServer } from 'vite';

const ROOT = `${import.meta.dirname}/../..`;

async function askServer() {
  const { sendFailure } = await import(`${ROOT}/server/src/http/errors.ts`);
  const { renderEmail } = await import(`${ROOT}/server/src/platform/mail/email-templates.ts`);
  const { notificationText } = await import(`${ROOT}/server/src/domain/notification/notification-text.ts`);
  const sent = {};
  const reply = {
    code(status) {
      sent.status = status;
      return reply;
    },
    header: () => reply,
    send: (body) => Object.assign(sent, body),
  };
  const request = { id: '1', headers: { 'accept-language': 'tlh, eo;q=0.9, ja;q=0.5' } };
  sendFailure(new ApiError('notAllowed'), request, reply, console);
  const email = renderEmail({ template: 'framePaired', data: { name: 'Mia', link: 'https://x.example' } }, 'eo');
  const said = { id: '1', text: byLanguage(() => 'x'), from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
  return {
    error: [sent.status, sent.message],
    notification: notificationText('framePaired', { name: 'Kitchen' }, 'eo'),
    email: [email.subject, email.text.startsWith('ĉ Hello Mia,'), email.html.includes('<html lang="eo">')],
    announcement: announcement.safeParse({ ...said, id: crypto.randomUUID() }).success,
  };
}

/** Opens an app like `vite` does, and passes its modules to `ask`. */
async function inApp(workspace, ask) {
  const root = `${ROOT}/${workspace}`;
  const app = await createServer({
    ...{ root, configFile: `${root}/vite.config.ts`, appType: 'custom', logLevel: 'error' },
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const page = await app.transformIndexHtml('/', readFileSync(`${root}/index.html`, 'utf8'));
    const withoutScript = /<p lang="eo">.*<\/p>/.exec(page)?.[0];
    return { ...(await ask((path) => app.ssrLoadModule(path))), withoutScript };
  } finally {
    await app.close();
  }
}

/** Simulates a visitor whose URL requests the language. */
async function visit(load) {
  globalThis.location = { search: '?lang=eo' };
  const manifest = {};
  globalThis.document = { cookie: '', documentElement: {}, querySelector: () => manifest };
  const { startTexts, currentLanguage, i18next } = await load('/src/i18n/index.ts');
  await startTexts();
  await i18next.loadNamespaces(['auth', 'errors']);
  const { errorText } = await load('/src/i18n/error-text.ts');
  return {
    offered: LANGUAGES[0].name,
    current: currentLanguage(),
    htmlLang: document.documentElement.lang,
    manifest: manifest.href,
    cookie: document.cookie.startsWith('lang=eo;'),
    texts: [i18next.t('cancel'), i18next.t('auth:login')],
    error: errorText('networkError'),
  };
}

async function showFrame(load) {
  const { languageOf, textsOf } = await load('/src/texts.ts');
  const language = languageOf(['tlh', 'eo-XX', 'ja']);
  return { texts: [language, textsOf(language).title] };
}

const found = { server: await askServer(), web: await inApp('web', visit), frame: await inApp('frame', showFrame) };
process.stdout.write(JSON.stringify(found));
