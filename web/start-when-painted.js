// Inline in the prerendered landing page: loads and starts the app once the page is painted, which it would delay.
(() => {
  let isStarted = false;
  const start = () => {
    if (isStarted) return;
    isStarted = true;
    document.head.append(document.importNode(document.getElementById('later').content, true));
  };
  try {
    new PerformanceObserver(start).observe({ type: 'paint', buffered: true });
  } finally {
    // A tab in the background is not painted.
    setTimeout(start, 3000);
  }
})();
