// Inline in the prerendered landing page: loads and starts the app once the page is painted, which it would delay.
(() => {
  // The button that was pressed last before the app takes the page over is pressed again then (`use-early-press.ts`).
  document.addEventListener('click', ({ target }) => {
    const button = target.closest('#root[data-prerendered] button');
    if (!button) return;
    document.querySelector('[data-pressed]')?.removeAttribute('data-pressed');
    button.setAttribute('data-pressed', '');
  });
  // A page that `scheme.js` hides has nothing to paint.
  let isWanted = document.documentElement.hasAttribute('data-session');
  let isStarted = false;
  const start = () => {
    // The app takes the whole page over, and scripts that are added do not wait for its end.
    if (isStarted || !isWanted || document.readyState === 'loading') return;
    isStarted = true;
    document.head.append(document.importNode(document.getElementById('later').content, true));
  };
  const want = () => {
    isWanted = true;
    start();
  };
  document.addEventListener('DOMContentLoaded', start);
  try {
    new PerformanceObserver(want).observe({ type: 'paint', buffered: true });
  } finally {
    // A tab in the background is not painted.
    setTimeout(want, 3000);
  }
})();
