import { expect, type Page } from '@playwright/test';

export interface DroppedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/**
 * Drags files over the page and drops them on it, or pastes them, once something listens there: what takes files
 * anywhere is loaded after the page itself.
 */
export async function bring(page: Page, how: 'drop' | 'paste' | 'drag', files: readonly DroppedFile[]): Promise<void> {
  const sent = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, base64: buffer.toString('base64') }));
  const isTaken = () =>
    page.evaluate(
      ([how, sent]) => {
        const data = new DataTransfer();
        for (const { name, mimeType, base64 } of sent) {
          const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
          data.items.add(new File([bytes], name, { type: mimeType }));
        }
        const options = { bubbles: true, cancelable: true };
        const target = document.querySelector('[role=dialog]') ?? document.body;
        // False where a listener has taken it.
        if (how === 'paste')
          return !target.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: data }));
        if (target.dispatchEvent(new DragEvent('dragover', { ...options, dataTransfer: data }))) return false;
        if (how === 'drop') target.dispatchEvent(new DragEvent('drop', { ...options, dataTransfer: data }));
        return true;
      },
      [how, sent] as const,
    );
  await expect.poll(isTaken, { message: `${how} is taken` }).toBe(true);
}
