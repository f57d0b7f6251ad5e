export interface SuccessNoteOptions {
  readonly title: string;
  readonly text?: string | undefined;
}
interface Shown extends SuccessNoteOptions {
  readonly id: number;
}

let count = 0;
let shown: Shown | null = null;
const listeners = new Set<() => void>();

function set(next: Shown | null): void {
  shown = next;
  for (const listener of listeners) listener();
}

/** Shows a success note with fireworks for about 5 s. A later one replaces it. */
export function showSuccess(options: SuccessNoteOptions): void {
  set({ ...options, id: ++count });
}

export const successNote = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  current: (): Shown | null => shown,
  hide: (): void => set(null),
};
