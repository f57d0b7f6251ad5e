// Inline in the prerendered landing page: loads and starts the app once the page is painted, which it would delay.
(() => {
  // The button that was pressed last before the app takes the page over is pressed again then (`use-early-press.ts`).
  document.addEventListener('click', ({ target }) => {
    const button = target.closest('#root[data-prerendered] button');
    if (!button) return;
    document.querySelector('[data-pressed]')?.removeAttribute('data-pressed');
    button.setAttribute('data-pressed', '');
  });
  let isStarted = false;
  const start = () => {
    if (isStarted) return;
    isStarted = true;
    document.head.append(document.importNode(document.getElementById('later').content, true));
  };
  // A page that `scheme.js` hides has nothing to paint.
  if (document.documentElement.hasAttribute('data-session')) document.addEventListener('DOMContentLoaded', start);
  try {
    new PerformanceObserver(start).observe({ type: 'paint', buffered: true });
  } finally {
    // A tab in the background is not painted.
    setTimeout(start, 3000);
  }
})();
