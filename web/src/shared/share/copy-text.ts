/**
 * Copies the text of a field.
 * @returns false if the browser refuses; the text is then selected, to be copied by hand
 */
export async function copyText(field: HTMLInputElement | HTMLTextAreaElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    // Over plain HTTP there is no clipboard, and a browser may refuse it.
    field.focus();
    field.select();
    return document.execCommand('copy');
  }
}
