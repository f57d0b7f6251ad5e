import type { Frame, State } from './frame.ts';
import { drawQr } from './qr.ts';
import type { Texts } from './texts.ts';

type Leaving = Extract<State, { kind: 'paired' }>['leaving'];

/** One view of the page, updated with each state of its kind. */
interface Scene<S> {
  readonly element: HTMLElement;
  /** States with the same key reuse the same elements, which avoids flicker and keeps the focus. */
  readonly key: string;
  update(state: S): void;
}
type SceneOf<K extends State['kind']> = Scene<Extract<State, { kind: K }>>;

export interface ViewParts {
  readonly root: HTMLElement;
  readonly texts: Texts;
  /** Clock of `endsAt`. */
  readonly now: () => number;
  /** Available once the first state has been rendered. */
  readonly frame: () => Frame;
}

/** Renders the state of the frame. */
export function createView({ root, texts, now, frame }: ViewParts): (state: State) => void {
  const status = make('p', 'status');
  status.setAttribute('role', 'status');
  const stage = make('div', 'stage');
  root.replaceChildren(brand(), stage, status);
  let scene: Scene<never> | null = null;

  function sceneFor(state: State): Scene<never> {
    const key = state.kind === 'code' ? state.code : state.kind;
    if (scene?.key === key) return scene;
    const made =
      state.kind === 'paired'
        ? pairedScene(texts, frame)
        : state.kind === 'code'
          ? codeScene(texts, state, now)
          : startingScene(texts);
    stage.replaceChildren(made.element);
    return made as Scene<never>;
  }

  return (state) => {
    scene = sceneFor(state);
    scene.update(state as never);
    root.dataset.scene = state.kind;
    // Over the picture that is playing.
    root.classList.toggle('asks', state.kind === 'paired' && state.leaving !== 'no');
    const isConnected = state.kind === 'paired' && state.known;
    const said = state.trouble ? texts[state.trouble] : isConnected ? texts.connected : '';
    // Set only on change: screen readers announce a live region again whenever its text is set.
    if (status.textContent !== said) status.textContent = said;
    status.classList.toggle('trouble', state.trouble !== null);
  };
}

function brand(): HTMLElement {
  const element = make('header', 'brand');
  element.append(mark(), 'Framelift');
  return element;
}

function mark(): HTMLElement {
  const element = make('img');
  element.src = '/frame/mark.svg';
  element.alt = '';
  return element;
}

function startingScene(texts: Texts): SceneOf<'starting'> {
  const element = make('div', 'pairing');
  const card = make('div', 'card');
  const code = make('p', 'code');
  // Placeholder with the size of the code that replaces it.
  code.textContent = '····-····';
  code.setAttribute('aria-hidden', 'true');
  const time = make('p', 'time', texts.starting);
  const qr = make('div', 'qr');
  qr.append(make('div', 'empty'));
  card.append(qr, code, time, bar(0));
  element.append(words(texts, null, null), card);
  return { element, key: 'starting', update() {} };
}

function codeScene(
  texts: Texts,
  { code, link, reason, endsAt }: Extract<State, { kind: 'code' }>,
  now: () => number,
): SceneOf<'code'> {
  const element = make('div', 'pairing');
  const card = make('div', 'card');
  const qr = make('div', 'qr');
  qr.append(drawQr(link, texts.qr));
  const shown = make('p', 'code', code);
  // Screen readers spell it letter by letter.
  shown.setAttribute('aria-label', `${texts.code}: ${[...code.replace('-', '')].join(' ')}`);
  shown.setAttribute('role', 'img');
  const time = make('p', 'time', `${texts.next} `);
  const left = make('span', 'left');
  left.setAttribute('role', 'timer');
  time.append(left);
  const whole = endsAt - now();
  const rest = bar(1);
  card.append(qr, shown, time, rest);
  element.append(words(texts, link, reason ? texts[reason] : null), card);

  function tick(): void {
    const ms = Math.max(endsAt - now(), 0);
    left.textContent = minutes(ms);
    (rest.firstElementChild as HTMLElement).style.transform = `scaleX(${ms / whole})`;
  }
  tick();
  const timer = setInterval(() => (element.isConnected ? tick() : clearInterval(timer)), 1000);
  return { element, key: code, update() {} };
}

/** Instructions next to the code. */
function words(texts: Texts, link: string | null, reason: string | null): HTMLElement {
  const element = make('div', 'words');
  element.append(make('h1', '', texts.title), make('p', 'intro', reason ?? texts.intro));
  const steps = make('ol', 'steps');
  const first = make('li');
  const [before = '', after = ''] = texts.scan.split('{{address}}');
  const where = new URL(link ?? '/menu/qrcode', location.href);
  first.append(before, make('b', 'address', `${where.host}${where.pathname}`), after);
  steps.append(first, make('li', '', texts.confirm));
  element.append(steps);
  return element;
}

function pairedScene(texts: Texts, frame: () => Frame): SceneOf<'paired'> {
  const element = make('div', 'belonging');
  const owner = make('p', 'owner');
  const name = make('h1');
  const said = make('p', 'intro');
  const how = make('div', 'how');
  const address = `${location.origin}/menu/frameSetting`;
  const [before = '', after = ''] = texts.send.split('{{address}}');
  const steps = make('p', '');
  steps.append(before, make('b', 'address', address.replace(/^https?:\/\//, '')), after);
  const qr = make('div', 'qr small');
  qr.append(drawQr(address, texts.framesQr));
  how.append(qr, steps);
  const controls = make('div', 'controls');
  let leaving: Leaving | null = null;

  function showControls(next: Leaving): void {
    if (leaving === next) return;
    const hadFocus = controls.contains(document.activeElement);
    const before = leaving;
    leaving = next;
    if (next === 'no') {
      controls.removeAttribute('role');
      controls.removeAttribute('aria-label');
      const unpair = button(texts.unpair, 'quiet', () => frame().askToLeave());
      controls.replaceChildren(unpair);
      if (hadFocus && before !== null) unpair.focus();
      return;
    }
    const question = next === 'failed' ? texts.failed : texts.sure;
    const yes = button(texts.yes, 'danger', () => void frame().leave());
    const no = button(texts.no, 'quiet', () => frame().stay());
    for (const one of [yes, no]) one.disabled = next === 'under way';
    controls.setAttribute('role', 'group');
    controls.setAttribute('aria-label', question);
    const text = make('p', 'question', question);
    if (next === 'failed') text.setAttribute('role', 'alert');
    controls.replaceChildren(text, yes, no);
    // The focus goes to "no", so that a second accidental tap keeps the frame paired.
    if (hadFocus && next !== 'under way') no.focus();
  }

  element.append(mark(), owner, name, said, how, controls);
  return {
    element,
    key: 'paired',
    update(state) {
      // Replacement by a function: in a string, patterns like $& in a name would be expanded.
      owner.textContent = texts.paired.replace('{{owner}}', () => state.frame.owner);
      name.textContent = state.frame.name;
      const text = idleText(texts, state.idle);
      if (said.textContent !== text) said.textContent = text;
      how.hidden = state.idle === null || state.idle.kind === 'loading';
      element.classList.toggle('explains', !how.hidden);
      showControls(state.leaving);
    },
  };
}

/** Returns what a frame says that shows no picture; nothing while one plays behind a question. */
function idleText(texts: Texts, idle: Extract<State, { kind: 'paired' }>['idle']): string {
  if (idle === null) return '';
  switch (idle.kind) {
    case 'empty':
      return idle.waiting > 0 ? texts.preparing : texts.empty;
    case 'broken':
      return texts.allBroken;
    case 'loading':
      return texts.loading;
  }
}

function bar(share: number): HTMLElement {
  const element = make('div', 'bar');
  const filled = make('div');
  filled.style.transform = `scaleX(${share})`;
  element.append(filled);
  return element;
}

function button(text: string, className: string, act: () => void): HTMLButtonElement {
  const element = make('button', className, text);
  element.type = 'button';
  element.addEventListener('click', act);
  return element;
}

/** Formats a duration as minutes and seconds: `29:05` */
function minutes(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function make<K extends keyof HTMLElementTagNameMap>(tag: K, className = '', text = ''): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}
