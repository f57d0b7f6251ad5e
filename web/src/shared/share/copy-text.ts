/**
 * Copies the text of a field or another element.
 * @returns false if the browser refuses; the text is then selected, to be copied by hand
 */
export async function copyText(from: HTMLElement): Promise<boolean> {
  const field = from instanceof HTMLInputElement || from instanceof HTMLTextAreaElement ? from : null;
  try {
    await navigator.clipboard.writeText(field?.value ?? from.textContent);
    return true;
  } catch {
    // Over plain HTTP there is no clipboard, and a browser may refuse it.
    if (field) {
      field.focus();
      field.select();
    } else {
      getSelection()?.selectAllChildren(from);
    }
    return document.execCommand('copy');
  }
}
