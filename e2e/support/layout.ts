import { expect, type Page } from '@playwright/test';

/**
 * Fails with the layout faults of the current page: wider than its window, clipped text, overlapping controls. Elements
 * that overlay the page on purpose (a bar at its edge, a dialog, an open menu) are compared only with themselves, and a
 * control may be placed on a larger one that contains it (the box on a picture). Repeats the check until the page no
 * longer moves.
 */
export async function expectInPlace(page: Page, what: string): Promise<void> {
  await expect.poll(() => page.evaluate(findFaults), { message: `layout of ${what}`, timeout: 30_000 }).toEqual([]);
}

/** Runs in the page. */
function findFaults(): string[] {
  const faults: string[] = [];
  const root = document.documentElement;
  const name = (element: Element) =>
    `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}"> ${(element.textContent ?? '').trim().slice(0, 60)}`;
  if (root.scrollWidth > window.innerWidth) {
    const widest = [...document.body.querySelectorAll('*')].find(
      (element) => element.getBoundingClientRect().right > window.innerWidth + 1,
    );
    faults.push(`the page is ${root.scrollWidth} px wide: ${widest ? name(widest) : ''}`);
  }

  const dialogs = [...document.querySelectorAll('[role="dialog"]')].filter((one) => one.getClientRects().length > 0);
  const top = dialogs.at(-1) ?? document.body;
  const seen = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  for (const element of top.querySelectorAll('*')) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
    if (!hasText || !seen(element)) continue;
    const style = getComputedStyle(element);
    const { clientWidth, clientHeight, scrollWidth, scrollHeight } = element;
    // User-provided names may be long, so an ellipsis is right for them; one pixel is text for screen readers.
    if (clientWidth <= 1 || style.textOverflow === 'ellipsis' || style.display === 'inline') continue;
    const cut =
      (/hidden|clip/.test(style.overflowX) && scrollWidth > clientWidth + 1) ||
      (/hidden|clip/.test(style.overflowY) && scrollHeight > clientHeight + 3);
    if (cut) faults.push(`cut off: ${name(element)}`);
  }

  const layerOf = (element: Element): Element => {
    for (let one: Element | null = element; one; one = one.parentElement) {
      if (/fixed|sticky/.test(getComputedStyle(one).position) || one.getAttribute('role') === 'menu') return one;
    }
    return top;
  };
  /** Without what is scrolled out of view in a list of its own: that is not over what lies beside the list. */
  const visibleBox = (element: Element): DOMRect => {
    let { left, top: upper, right, bottom } = element.getBoundingClientRect();
    for (let one = element.parentElement; one && one !== top; one = one.parentElement) {
      if (!/auto|scroll/.test(getComputedStyle(one).overflowY)) continue;
      const around = one.getBoundingClientRect();
      left = Math.max(left, around.left);
      upper = Math.max(upper, around.top);
      right = Math.min(right, around.right);
      bottom = Math.min(bottom, around.bottom);
    }
    return new DOMRect(left, upper, Math.max(0, right - left), Math.max(0, bottom - upper));
  };
  const controls = [...top.querySelectorAll('a[href], button, input, select, textarea, [role="slider"], [role="tab"]')]
    .filter((element) => seen(element) && !element.closest('[inert], [aria-hidden="true"]'))
    .filter(
      (element) => getComputedStyle(element).pointerEvents !== 'none' && getComputedStyle(element).opacity !== '0',
    )
    .map((element) => ({ element, box: visibleBox(element), layer: layerOf(element) }))
    .filter(({ box }) => box.width > 1 && box.height > 1);
  const belongs = (a: Element, b: Element) =>
    a.contains(b) || b.contains(a) || a.closest('label, [class*="Input-wrapper"]')?.contains(b) === true;
  type Control = (typeof controls)[number];
  const standsOn = ({ element, box }: Control, { box: around }: Control) =>
    getComputedStyle(element.closest('label') ?? element).position === 'absolute' &&
    box.left >= around.left &&
    box.right <= around.right &&
    box.top >= around.top &&
    box.bottom <= around.bottom;
  for (const [i, one] of controls.entries()) {
    for (const other of controls.slice(i + 1)) {
      if (one.layer !== other.layer || belongs(one.element, other.element) || standsOn(other, one)) continue;
      const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (width > 2 && height > 2) faults.push(`over each other: ${name(one.element)} and ${name(other.element)}`);
    }
  }
  return faults;
}
