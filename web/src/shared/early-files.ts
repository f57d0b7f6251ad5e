/** Files that were dropped before the code that takes them had come: by default one takes the place of the app. */
const early: File[] = [];
const listening = new AbortController();

export function keepEarlyFiles(): void {
  const keep = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files') || event.defaultPrevented) return;
    event.preventDefault();
    if (event.type === 'drop') early.push(...event.dataTransfer.files);
  };
  for (const type of ['dragover', 'drop'] as const) window.addEventListener(type, keep, listening);
}

/** Returns what was kept. From now on the caller listens. */
export function takeEarlyFiles(): readonly File[] {
  listening.abort();
  return early.splice(0);
}
