// Shows the offline page in the person's language, and reloads the page that was asked for once the server answers.
(() => {
  const ASK_MS = 5000;
  const sections = [...document.querySelectorAll('[data-language]')];

  const cookie = /(?:^|;\s*)lang=([^;]*)/.exec(document.cookie)?.[1];
  const wanted = [cookie, ...navigator.languages].map((name) => name?.slice(0, 2).toLowerCase());
  const language = wanted.find((name) => sections.some(({ dataset }) => dataset.language === name));
  if (language) for (const section of sections) section.hidden = section.dataset.language !== language;
  const shown = sections.find(({ hidden }) => !hidden);
  document.documentElement.lang = shown.lang;
  document.title = `${shown.querySelector('h1').textContent} · Framelift`;

  function tell() {
    for (const heading of document.querySelectorAll('h1'))
      heading.hidden = 'unanswered' in heading.dataset ? !navigator.onLine : navigator.onLine;
  }

  async function ask() {
    tell();
    try {
      if ((await fetch('/livez', { cache: 'no-store' })).ok) location.reload();
    } catch {
      // Still no answer.
    }
  }

  for (const button of document.querySelectorAll('button')) button.addEventListener('click', () => location.reload());
  addEventListener('online', ask);
  addEventListener('offline', tell);
  setInterval(ask, ASK_MS);
  tell();
})();
