import { htmlLangOf } from '@framelift/contract';
import { version } from '../package.json';
import { kindOf, screenOf } from './about.ts';
import { createApi } from './api.ts';
import { type Frame, runFrame } from './frame.ts';
import { keepForOffline } from './offline.ts';
import { createPairingStore } from './pairing-store.ts';
import { type Show, startShow } from './show/show.ts';
import { languageOf, textsOf } from './texts.ts';
import { createView } from './view.ts';
import { createWaiter } from './waiter.ts';
import { createWakeLock } from './wake-lock.ts';

/** Delay before the page reloads itself after an internal error: nobody may be there to do it. */
const RELOAD_MS = 60_000;

const language = languageOf(navigator.languages);
const texts = textsOf(language);
document.documentElement.lang = htmlLangOf(language);
document.title = `${texts.title} · Framelift`;

const root = document.querySelector('main');
if (!root) throw new Error('The page has lost its main part');
const now = () => performance.now();
const waiter = createWaiter();
const wakeLock = createWakeLock();
const api = createApi(language);
let playing: Show | null = null;
const view = createView({ root, texts, now, frame: () => frame });
const frame: Frame = runFrame({
  api,
  store: createPairingStore(() => localStorage),
  waiter,
  now,
  origin: location.origin,
  about: () => ({
    version,
    kind: kindOf(navigator.userAgent, navigator.maxTouchPoints),
    screen: screenOf(window),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }),
  show(state) {
    view(state);
    const isPaired = state.kind === 'paired';
    playing?.say(isPaired && state.trouble ? texts[state.trouble] : '');
  },
  play(token, unpaired, idle) {
    const askToLeave = () => frame.askToLeave();
    playing = startShow({ api, token, texts, language, wakeLock, unpaired, askToLeave, idle, news: waiter.wake });
    return playing;
  },
  breakDown(error) {
    console.error(error);
    setTimeout(() => location.reload(), RELOAD_MS);
  },
});

const wake = () => {
  waiter.wake();
  playing?.wake();
};
window.addEventListener('online', wake);
// The next call fails at once, and the frame says why.
window.addEventListener('offline', wake);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') wake();
});
void keepForOffline();
