import { UI_LIMITS } from './limits.ts';

export type ToastKind = 'success' | 'info' | 'warning' | 'error';
/** `showing` while it fades in, `shown`, `hide` while it fades out. */
export type ToastState = 'showing' | 'shown' | 'hide';

export interface ToastOptions {
  readonly kind: ToastKind;
  readonly text: string;
  /** Further lines below the text. */
  readonly lines?: readonly string[] | undefined;
  /** Milliseconds until it hides automatically: 5000, errors 2000. */
  readonly ms?: number | undefined;
  /** An action offered with the message, e.g. undo, or a link to another page. */
  readonly action?:
    | { readonly label: string; readonly run: () => void }
    | { readonly label: string; readonly to: string }
    | undefined;
}
export interface Toast extends ToastOptions {
  readonly id: number;
  readonly state: ToastState;
}

const ENTER_MS = 150;
const FADE_MS = UI_LIMITS.successToastFadeMs;

/** The visible toasts, at most one of each kind: a new one replaces the old one. */
export class ToastStore {
  #toasts: readonly Toast[] = [];
  #listeners = new Set<() => void>();
  #timers = new Map<ToastKind, ReturnType<typeof setTimeout>>();
  #held = new Set<ToastKind>();
  #count = 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly current = (): readonly Toast[] => this.#toasts;

  show(options: ToastOptions): void {
    this.#held.delete(options.kind);
    const toast: Toast = { ...options, id: ++this.#count, state: 'showing' };
    this.#set([...this.#toasts.filter(({ kind }) => kind !== options.kind), toast]);
    this.#after(options.kind, ENTER_MS, () => {
      this.#enter(options.kind, 'shown');
      this.#countDown(options.kind);
    });
  }

  /** Keeps the toast visible while it has the pointer or the focus. */
  hold(kind: ToastKind): void {
    this.#held.add(kind);
    clearTimeout(this.#timers.get(kind));
    this.#enter(kind, 'shown');
  }

  /** Restarts the full countdown, so that a toast that was just read does not vanish immediately. */
  release(kind: ToastKind): void {
    if (this.#held.delete(kind)) this.#countDown(kind);
  }

  hide(kind: ToastKind): void {
    this.#held.delete(kind);
    this.#enter(kind, 'hide');
    this.#after(kind, FADE_MS, () => this.#set(this.#toasts.filter((toast) => toast.kind !== kind)));
  }

  /** Removes all at once. */
  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#held.clear();
    this.#set([]);
  }

  #countDown(kind: ToastKind): void {
    const toast = this.#toasts.find((one) => one.kind === kind);
    if (!toast) return;
    this.#after(kind, toast.ms ?? (kind === 'error' ? UI_LIMITS.errorToastMs : UI_LIMITS.toastMs), () =>
      this.hide(kind),
    );
  }

  #enter(kind: ToastKind, state: ToastState): void {
    this.#set(this.#toasts.map((toast) => (toast.kind === kind ? { ...toast, state } : toast)));
  }

  #after(kind: ToastKind, ms: number, run: () => void): void {
    clearTimeout(this.#timers.get(kind));
    this.#timers.set(kind, setTimeout(run, ms));
  }

  #set(toasts: readonly Toast[]): void {
    this.#toasts = toasts;
    for (const listener of this.#listeners) listener();
  }
}

export const toasts = new ToastStore();

/** Shows a toast; it replaces one of the same kind. */
export const showToast = (options: ToastOptions): void => toasts.show(options);
