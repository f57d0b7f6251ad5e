import { htmlLangOf } from '@framelift/contract';
import { version } from '../package.json';
import { kindOf, screenOf } from './about.ts';
import { createApi } from './api.ts';
import { type Frame, runFrame } from './frame.ts';
import { keepForOffline } from './offline.ts';
import { createPairingStore } from './pairing-store.ts';
import { languageOf, textsOf } from './texts.ts';
import { createView } from './view.ts';
import { createWaiter } from './waiter.ts';
import { stayAwake } from './wake-lock.ts';

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
const frame: Frame = runFrame({
  api: createApi(language),
  store: createPairingStore(() => localStorage),
  waiter,
  now,
  origin: location.origin,
  about: () => ({ version, kind: kindOf(navigator.userAgent, navigator.maxTouchPoints), screen: screenOf(window) }),
  show: createView({ root, texts, now, frame: () => frame }),
  breakDown(error) {
    console.error(error);
    setTimeout(() => location.reload(), RELOAD_MS);
  },
});

window.addEventListener('online', () => waiter.wake());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') waiter.wake();
});
stayAwake();
void keepForOffline();
