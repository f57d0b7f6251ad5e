import type { ReactNode } from 'react';
import type { ToastKind } from './toasts.ts';

export interface AlertButton<V extends string = string> {
  readonly value: V;
  readonly label: string;
  /** `primary` is the one that people came for, `danger` destroys something. */
  readonly look?: 'primary' | 'danger' | 'plain';
}
export interface Album {
  readonly id: string;
  readonly name: string;
}
export interface AlertOptions<V extends string = string> {
  /** Marks the title with the sign that toasts of this kind have. */
  readonly kind?: ToastKind;
  readonly title: string;
  readonly content?: ReactNode;
  readonly image?: { readonly src: string; readonly alt: string };
  /** A line of text that the person may enter, at most 30 characters. */
  readonly input?: { readonly label: string; readonly value?: string };
  /** Albums to choose one of; typing finds them. `value` is the id of the one chosen at first. */
  readonly album?: { readonly label: string; readonly albums: readonly Album[]; readonly value?: string };
  readonly buttons?: readonly AlertButton<V>[];
  /**
   * Closes by itself after so many milliseconds: 2000 as a rule, 1500 for what is short (saved, copied), 3500 for two
   * lines of information, 5000 for trouble of the network.
   */
  readonly ms?: number;
}
export interface AlertAnswer<V extends string = string> {
  /** The button pressed; null when it was closed otherwise or its time was over. */
  readonly button: V | null;
  readonly input: string;
  /** Id of the chosen album, where one could be chosen. */
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

/** Shows the alert modal. Several asked for at once come one after the other. */
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
