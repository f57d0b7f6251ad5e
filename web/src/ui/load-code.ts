import { waitForServer } from './connection.ts';
import { showToast } from './toasts.ts';

/** Texts of the message about a new version, loaded with the first page: later ones may be those of another version. */
export interface NewVersionTexts {
  readonly text: string;
  readonly load: string;
}

/** Attempts at the same version after which a failure is no longer a passing one of the network. */
const ATTEMPTS = 3;
const PAUSE_MS = 1000;
const A_DAY_MS = 24 * 3_600_000;
const RELOADED = 'reloaded-for';

let texts: () => NewVersionTexts = () => ({ text: 'There is a new version of this page.', load: 'Load it' });

export function configureNewVersion(given: () => NewVersionTexts): void {
  texts = given;
}

/**
 * Loads a chunk of the app. Without a connection it waits for one. If the server has another version meanwhile, whose
 * chunks have other names, the page is reloaded once by itself where nothing would be lost; elsewhere a message offers
 * it and what is on the page stays. In both cases the promise stays pending.
 * @throws if the server answers and the chunk still cannot be loaded
 */
export async function loadCode<M>(load: () => Promise<M>): Promise<M> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await load();
    } catch (error) {
      const entry = await newEntry();
      if (entry !== null) return await takeNewVersion(entry);
      if (attempt === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt));
    }
  }
}

/** Offers the version of the server in a message, if it is another one; what is on the page stays. */
export async function offerNewVersion(): Promise<void> {
  if ((await newEntry()) !== null) showOffer();
}

/** Waits for the server. Returns the start script of its page if it is not the one of this page, else null. */
async function newEntry(): Promise<string | null> {
  const entry = entryOf(new DOMParser().parseFromString(await waitForServer(), 'text/html'));
  return entry === entryOf(document) ? null : entry;
}

/**
 * Returns the address of the script that starts the app; its name changes with every version. The prerendered landing page
 * has it in a template until it is painted (`start-when-painted.js`).
 */
function entryOf(page: Document): string | null {
  const script = 'script[type="module"][src]';
  const later = page.querySelector<HTMLTemplateElement>('template#later');
  return (page.querySelector(script) ?? later?.content.querySelector(script))?.getAttribute('src') ?? null;
}

function takeNewVersion(entry: string): Promise<never> {
  if (!hasWork() && !wasReloadedFor(entry)) location.reload();
  else showOffer();
  return new Promise(() => {});
}

const showOffer = () =>
  showToast({ kind: 'info', text: texts().text, ms: A_DAY_MS, action: { label: texts().load, run: reload } });

const reload = () => location.reload();

/** Whether a reload would lose something: typed text, a file, an upload, an open dialog. */
function hasWork(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>('textarea, input:not([type="checkbox"], [type="radio"])');
  return (
    [...fields].some(({ value, type }) => value !== '' && type !== 'hidden' && type !== 'range') ||
    document.querySelector('[role="dialog"], [aria-busy="true"]') !== null
  );
}

/**
 * Remembers the reload, so that a server that keeps answering with another version does not reload the page forever. Where
 * nothing can be stored, the page counts as reloaded: a note in memory would not outlive the reload.
 */
function wasReloadedFor(entry: string): boolean {
  try {
    if (sessionStorage.getItem(RELOADED) === entry) return true;
    sessionStorage.setItem(RELOADED, entry);
    return false;
  } catch {
    return true;
  }
}
