// Runs before the first paint, as its own file because the content security policy allows no inline scripts.
// Dark unless the person chose light by the switch, or chose nothing and the system wishes light.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('colour-scheme');
  } catch {
    // Storage may be blocked; the system's wish decides then.
  }
  const light = chosen === 'light' || (chosen !== 'dark' && matchMedia('(prefers-color-scheme: light)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', light ? 'light' : 'dark');
})();
