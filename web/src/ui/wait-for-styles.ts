/** A sheet may have failed before anybody listened. The page then keeps the styles of its first sight. */
const LONGEST_MS = 5000;

/** Waits for the style sheets, which a prerendered page gets together with the app. */
export async function waitForStyles(): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  const coming = links.filter(({ sheet }) => !sheet);
  if (coming.length === 0) return;
  const ended = (link: HTMLLinkElement) =>
    new Promise((resolve) => {
      for (const name of ['load', 'error']) link.addEventListener(name, resolve);
    });
  const late = new Promise((resolve) => setTimeout(resolve, LONGEST_MS));
  await Promise.race([Promise.all(coming.map(ended)), late]);
}
