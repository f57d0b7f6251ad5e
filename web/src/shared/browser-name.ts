import Bowser from 'bowser';

/** Browser and system of a session's user agent, e.g. 'Firefox' and 'Windows', and whether it is a handheld device. */
export interface BrowserName {
  readonly browser: string | null;
  /** Major version of the browser. */
  readonly version: string | null;
  readonly system: string | null;
  readonly handheld: boolean;
}

export function browserName(userAgent: string): BrowserName {
  if (userAgent.trim() === '') return { browser: null, version: null, system: null, handheld: false };
  const { browser, os, platform } = Bowser.parse(userAgent);
  return {
    // Programs other than browsers name themselves in the first word: 'curl/8.5.0', 'node'.
    browser: browser.name || /^[^\s/]+/.exec(userAgent)?.[0] || null,
    version: /^\d+/.exec(browser.version ?? '')?.[0] ?? null,
    system: os.name || null,
    handheld: platform.type === 'mobile' || platform.type === 'tablet',
  };
}
