// Runs before the first paint, as its own file because the content security policy allows no inline scripts, except in
// the prerendered landing page.
(() => {
  let chosen = null;
  let hasSession = false;
  try {
    chosen = localStorage.getItem('colour-scheme');
    hasSession = localStorage.getItem('session') === 'member' || sessionStorage.getItem('session') === 'guest';
  } catch {
    // Storage may be blocked; the system's wish decides then.
  }
  const page = document.documentElement;
  // Dark unless the person chose light by the switch, or chose nothing and the system wishes light.
  const light = chosen === 'light' || (chosen !== 'dark' && matchMedia('(prefers-color-scheme: light)').matches);
  page.setAttribute('data-mantine-color-scheme', light ? 'light' : 'dark');
  // Who lost only the cookie of their session is led elsewhere, and must not see the page of visitors before.
  if (hasSession) page.setAttribute('data-session', '');
})();
