import type { Texts } from '../texts.ts';
import type { Scene } from './player.ts';

/** Buttons over the picture: a touch, a key or the remote control shows them, and they hide by themselves. */
export interface Controls {
  update(scene: Scene): void;
  /** Shows one line above the buttons, e.g. that there is no network; empty hides it. */
  say(text: string): void;
  hide(): void;
}

export interface ControlActs {
  readonly previous: () => void;
  readonly togglePause: () => void;
  readonly next: () => void;
  readonly toggleSound: () => void;
  readonly touched: () => void;
  readonly leave: () => void;
}

/** Without input they are shown for so long. */
const SHOWN_MS = 6000;
/** A click so soon after they appeared does not hide them. */
const SETTLE_MS = 500;
const SVG = 'http://www.w3.org/2000/svg';
/** Paths on a grid of 24. */
const ICONS = {
  previous: 'M7 5v14M19 5.5v13L9.5 12z',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 4.5v15L20 12z',
  next: 'M17 5v14M5 5.5v13l9.5-6.5z',
  soundOn: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.5 4.5 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11',
  soundOff: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5',
  full: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  small: 'M9 4v5H4M15 4v5h5M9 20v-5H4M15 20v-5h5',
  unpair: 'M9.5 14.5l5-5M8 11l-2.5 2.5a3.5 3.5 0 0 0 5 5L13 16M16 13l2.5-2.5a3.5 3.5 0 0 0-5-5L11 8M5 5l14 14',
} as const;

export function createControls(host: HTMLElement, texts: Texts, acts: ControlActs): Controls {
  const bar = document.createElement('div');
  bar.className = 'player-controls';
  bar.hidden = true;
  const title = document.createElement('p');
  title.className = 'player-title';
  const note = document.createElement('p');
  note.className = 'player-note';
  note.setAttribute('role', 'status');
  const buttons = document.createElement('div');
  buttons.className = 'player-buttons';
  buttons.setAttribute('role', 'toolbar');
  buttons.setAttribute('aria-label', texts.controls);
  const previous = iconButton(() => acts.previous());
  const pause = iconButton(() => acts.togglePause());
  const next = iconButton(() => acts.next());
  const sound = iconButton(() => acts.toggleSound());
  const full = iconButton(toggleFullScreen);
  const unpair = iconButton(() => {
    hide();
    acts.leave();
  });
  label(previous, 'previous', texts.previous);
  label(next, 'next', texts.nextItem);
  label(unpair, 'unpair', texts.unpair);
  buttons.append(previous, pause, next, sound, full, unpair);
  bar.append(title, note, buttons);
  host.append(bar);

  let timer: ReturnType<typeof setTimeout> | undefined;
  let shownAt = 0;
  const canFill = 'requestFullscreen' in document.documentElement;
  full.hidden = !canFill;

  function reveal(): void {
    clearTimeout(timer);
    timer = setTimeout(hide, SHOWN_MS);
    if (bar.hidden) shownAt = performance.now();
    bar.hidden = false;
    host.classList.add('has-controls');
  }
  function hide(): void {
    clearTimeout(timer);
    bar.hidden = true;
    host.classList.remove('has-controls');
    if (bar.contains(document.activeElement)) (document.activeElement as HTMLElement).blur();
  }
  function toggleFullScreen(): void {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void document.documentElement.requestFullscreen().catch(() => {});
  }
  function updateFull(): void {
    const isFull = document.fullscreenElement !== null;
    label(full, isFull ? 'small' : 'full', isFull ? texts.leaveFullScreen : texts.fullScreen);
  }
  /** Moves the focus along the buttons. */
  function move(step: -1 | 1): void {
    const usable = [...buttons.querySelectorAll<HTMLButtonElement>('button:not([hidden])')];
    const at = usable.indexOf(document.activeElement as HTMLButtonElement);
    usable[(at + step + usable.length) % usable.length]?.focus();
  }

  updateFull();
  document.addEventListener('fullscreenchange', updateFull);
  buttons.addEventListener('click', (event) => {
    event.stopPropagation();
    acts.touched();
    if (!bar.hidden) reveal();
  });
  host.addEventListener('click', () => {
    acts.touched();
    // A mouse shows them on its way to the click.
    if (!bar.hidden && performance.now() - shownAt > SETTLE_MS) hide();
    else reveal();
  });
  host.addEventListener('pointermove', (event) => {
    if (event.pointerType === 'mouse') reveal();
  });
  document.addEventListener('keydown', (event) => {
    if (host.hidden || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keyAct(event.key);
    if (!act) return;
    event.preventDefault();
    acts.touched();
    act();
  });

  function keyAct(key: string): (() => void) | null {
    const isShown = !bar.hidden;
    const along = (step: -1 | 1, act: () => void) => () => {
      if (!isShown) return act();
      reveal();
      move(step);
    };
    switch (key) {
      case 'ArrowRight':
        return along(1, acts.next);
      case 'ArrowLeft':
        return along(-1, acts.previous);
      case 'ArrowUp':
      case 'ArrowDown':
        return () => {
          reveal();
          pause.focus();
        };
      case 'Enter':
      case ' ':
        // A focused button gets the key itself.
        if (isShown && buttons.contains(document.activeElement)) return null;
        return isShown
          ? acts.togglePause
          : () => {
              reveal();
              pause.focus();
            };
      case 'MediaPlayPause':
      case 'k':
        return acts.togglePause;
      case 'MediaTrackNext':
        return acts.next;
      case 'MediaTrackPrevious':
        return acts.previous;
      case 'm':
        return acts.toggleSound;
      case 'f':
        return canFill ? toggleFullScreen : null;
      case 'Tab':
        // The browser moves the focus once they are there.
        if (!isShown) reveal();
        return null;
      case 'Escape':
      case 'GoBack':
        return isShown ? hide : null;
      default:
        return null;
    }
  }

  return {
    hide,
    say(text) {
      if (note.textContent !== text) note.textContent = text;
    },
    update({ item, paused, sound: heard }) {
      const by = item?.sender ?? null;
      const name = item?.name ?? '';
      // Replacement by a function: in a string, patterns like $& in a name would be expanded.
      const text = by === null ? name : texts.sentBy.replace('{{name}}', () => name).replace('{{sender}}', () => by);
      if (title.textContent !== text) title.textContent = text;
      label(pause, paused ? 'play' : 'pause', paused ? texts.play : texts.pause);
      label(sound, heard === 'on' ? 'soundOn' : 'soundOff', heard === 'on' ? texts.soundOff : texts.soundOn);
      host.classList.toggle('paused', paused);
    },
  };
}

function iconButton(act: () => void): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.className = 'icon';
  element.addEventListener('click', act);
  return element;
}

function label(element: HTMLButtonElement, icon: keyof typeof ICONS, name: string): void {
  if (element.dataset['icon'] === icon && element.getAttribute('aria-label') === name) return;
  element.dataset['icon'] = icon;
  element.setAttribute('aria-label', name);
  element.title = name;
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', ICONS[icon]);
  svg.append(path);
  element.replaceChildren(svg);
}
