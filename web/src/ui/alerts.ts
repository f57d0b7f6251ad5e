import type { ReactNode } from 'react';
import type { ToastKind } from './toasts.ts';

export interface AlertButton<V extends string = string> {
  readonly value: V;
  readonly label: string;
  /** `primary` is the expected choice, `danger` is destructive. */
  readonly look?: 'primary' | 'danger' | 'plain';
}
export interface Album {
  readonly id: string;
  readonly name: string;
}
export interface AlertOptions<V extends string = string> {
  /** Shows the toast icon of this kind next to the title. */
  readonly kind?: ToastKind;
  readonly title: string;
  readonly content?: ReactNode;
  readonly image?: { readonly src: string; readonly alt: string };
  /** Text field of at most 30 characters. */
  readonly input?: { readonly label: string; readonly value?: string };
  /** Albums to choose from, with search. `value` is the id of the initial selection. */
  readonly album?: { readonly label: string; readonly albums: readonly Album[]; readonly value?: string };
  readonly buttons?: readonly AlertButton<V>[];
  /**
   * Closes automatically after this many milliseconds: usually 2000, 1500 for short messages (saved, copied), 3500 for
   * two lines of information, 5000 for network errors.
   */
  readonly ms?: number;
}
export interface AlertAnswer<V extends string = string> {
  /** The pressed button; null if the alert was closed in another way or by timeout. */
  readonly button: V | null;
  readonly input: string;
  /** Id of the selected album, if albums were offered. */
  readonly album?: string | null;
}
interface Pending {
  readonly id: number;
  readonly options: AlertOptions;
  readonly answer: (answer: AlertAnswer) => void;
}

let count = 0;
let pending: readonly Pending[] = [];
const listeners = new Set<() => void>();

function set(next: readonly Pending[]): void {
  pending = next;
  for (const listener of listeners) listener();
}

/** Shows the alert modal; several alerts are queued. */
export function showAlert<V extends string = never>(options: AlertOptions<V>): Promise<AlertAnswer<V>> {
  return new Promise((resolve) => {
    const id = ++count;
    const answer = (given: AlertAnswer) => {
      set(pending.filter((alert) => alert.id !== id));
      resolve(given as AlertAnswer<V>);
    };
    set([...pending, { id, options, answer }]);
  });
}

export const alerts = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  current: (): Pending | undefined => pending[0],
};
