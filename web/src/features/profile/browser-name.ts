import Bowser from 'bowser';

/** What a session's user agent says, as far as it can be told: 'Firefox', 'Windows', and whether it fits in a hand. */
export interface BrowserName {
  readonly browser: string | null;
  readonly system: string | null;
  readonly handheld: boolean;
}

export function browserName(userAgent: string): BrowserName {
  if (userAgent.trim() === '') return { browser: null, system: null, handheld: false };
  const { browser, os, platform } = Bowser.parse(userAgent);
  return {
    // A program that is no browser names itself in its first word: 'curl/8.5.0', 'node'.
    browser: browser.name || /^[^\s/]+/.exec(userAgent)?.[0] || null,
    system: os.name || null,
    handheld: platform.type === 'mobile' || platform.type === 'tablet',
  };
}
