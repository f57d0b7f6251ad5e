// @vitest-environment happy-dom
import type { Language } from '@framelift/contract';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { expect, it, vi } from 'vitest';
import { setLanguage } from '../../i18n/index.ts';
import { PolicyLink } from '../../shared/policy/PolicyLink.tsx';
import { aConfig } from '../../testing/config.ts';
import { answerCalls, showPage, success } from '../../testing/page.tsx';
import { AboutPage } from './AboutPage.tsx';
import { FaqPage } from './FaqPage.tsx';
import { LocationsPage } from './LocationsPage.tsx';
import { PolicyPage } from './PolicyPage.tsx';

const SLOW = { timeout: 15_000 };
const app = (
  <Routes>
    <Route path="/terms" element={<PolicyPage name="terms" />} />
    <Route path="/privacy" element={<PolicyPage name="privacy" />} />
    <Route path="/qa" element={<FaqPage />} />
    <Route path="/locations" element={<LocationsPage />} />
    <Route path="/about" element={<AboutPage />} />
    <Route path="/register" element={<PolicyLink />} />
  </Routes>
);
const said = (text: string, language: Language = 'en') => ({ text, language });
const BUILTIN = { content: null, in_force_from: null, in_force_until: null, earlier: [] };
const ANSWERS: Readonly<Record<string, unknown>> = {
  '/legalText/terms': BUILTIN,
  '/legalText/privacy': BUILTIN,
  '/faq': [
    { id: '6f1f9f0c-3f6e-4a55-9b52-0d6c1f1b2a3c', question: said('How?'), answer: said('Photos of up to **50 MB**.') },
    { id: '6f1f9f0c-3f6e-4a55-9b52-0d6c1f1b2a3d', question: said('要錢嗎？', 'zh'), answer: said('不用。', 'zh') },
  ],
};
async function open(path: string, language: Language = 'en', answers = ANSWERS) {
  answerCalls(({ path: called }) => success(answers[called] ?? aConfig));
  await showPage(app, path);
  await act(() => setLanguage(language));
}
const article = () => screen.findByRole('article', undefined, SLOW);

/** A phrase for each sentence of the terms that occurs in that sentence only. */
const TERMS: Record<Language, readonly RegExp[]> = {
  en: [
    /Viewing is limited to Taiwan/,
    /Members must be 18 or older/,
    /renew monthly only/,
    /not refundable/,
    /failed payment suspends the membership until it is paid/,
    /Shared or abused accounts may be restricted/,
    /account is personal/,
    /at least 10 Mbps; 16 Mbps is recommended for HD/,
    /Monday to Friday, 10:00–18:00 \(Taiwan time/,
    /Last updated: April 2025/,
  ],
  zh: [
    /僅限台灣地區觀看/,
    /年滿 18 歲/,
    /僅提供按月續訂/,
    /恕不退款/,
    /付款失敗.*暫停.*直到完成付款/,
    /共用或濫用的帳號可能會受到限制/,
    /帳號僅供本人使用/,
    /至少需要 10 Mbps.*HD 畫質建議 16 Mbps/,
    /週一至週五 10:00–18:00/,
    /2025 年 4 月/,
  ],
  ja: [
    /台湾国内に限られます/,
    /18歳以上/,
    /月単位のみ/,
    /返金はいたしません/,
    /お支払いに失敗した場合、お支払いが完了するまで会員資格を停止/,
    /共有や不正な利用.*制限する/,
    /ご本人専用/,
    /10 ?Mbps以上.*16 ?Mbpsを推奨/,
    /月曜～金曜 ?10:00–18:00/,
    /2025年4月/,
  ],
};
const expectTerms = (text: string, language: Language) => {
  for (const sentence of TERMS[language]) expect(text).toMatch(sentence);
};

const ids = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `[R-1.terms.${from + at}]`).join(' ');

for (const language of ['en', 'zh', 'ja'] as const) {
  it(`the terms say where, who, what it costs and when, in ${language} ${ids(1, 5)} [R-1.terms.12]`, async () => {
    await open('/terms', language);
    await article();
    expectTerms(document.body.textContent ?? '', language);
  });

  it(`the dialog of the registration says the same, with the privacy policy, in ${language} ${ids(6, 11)}`, async () => {
    await open('/register', language);
    fireEvent.click(screen.getByRole('button'));
    const dialog = await screen.findByRole('dialog', undefined, SLOW);
    const PRIVACY = { en: 'Privacy policy', zh: '隱私權政策', ja: 'プライバシーポリシー' };
    await within(dialog).findByRole('heading', { name: PRIVACY[language] });
    await waitFor(() => expectTerms(dialog.textContent ?? '', language), SLOW);
  });

  it(`the privacy policy is a page in ${language}, with a table of its contents [R-1.terms.11]`, async () => {
    await open('/privacy', language);
    const sections = [...(await article()).querySelectorAll('section')];
    expect(sections).toHaveLength(7);
    const links = [...document.querySelectorAll('nav a')];
    expect(links.map((link) => link.getAttribute('href'))).toEqual(sections.map(({ id }) => `#${id}`));
    expect(links.map((link) => link.textContent)).toEqual(
      sections.map((section) => section.querySelector('h2')?.textContent),
    );
    expect(document.body.textContent).not.toMatch(/\{\{|sections\./);
  });
}

it('the questions are collapsed, and each shows its answer when it is opened [R-2.faq.1]', async () => {
  await open('/qa');
  const questions = await waitFor(() => {
    const found = [...document.querySelectorAll<HTMLElement>('h2 button')];
    expect(found).toHaveLength(2);
    return found;
  }, SLOW);
  const [first, second] = questions as [HTMLElement, HTMLElement];
  const open1 = () => [first, second].map((button) => button.getAttribute('aria-expanded'));
  expect(open1()).toEqual(['false', 'false']);
  fireEvent.click(first);
  expect(open1()).toEqual(['true', 'false']);
  fireEvent.click(second);
  expect(open1()).toEqual(['true', 'true']);
  expect(screen.getByText('50 MB').tagName).toBe('STRONG');
  // A text in another language says so to screen readers.
  expect(second.lang).toBe('zh-Hant-TW');
  fireEvent.click(first);
  expect(open1()).toEqual(['false', 'true']);
});

it.each(['en', 'zh', 'ja'] as const)(
  'the page about the company is in Chinese, whatever language is read: %s [R-2.about.1]',
  async (language) => {
    await open('/about', language);
    const chinese = await screen.findByText('讓平面照片裡的時刻，走出相框。', undefined, SLOW);
    expect(chinese.closest('[lang]')?.getAttribute('lang')).toBe('zh-Hant-TW');
    expect(document.querySelectorAll('h1')).toHaveLength(1);
    if (language === 'ja') expect(screen.getByText('平面の写真に写った瞬間を、フレームの外へ。')).toBeTruthy();
    if (language === 'en') expect(screen.getByText(/come out of their frame/)).toBeTruthy();
  },
);

it('the locations have an address, hours, a note and a way to a map, each where it is known [R-2.route-public.3]', async () => {
  const nothing = { hours: null, note: null, map_url: null };
  await open('/locations', 'en', {
    '/locations': [
      {
        ...{ id: '6f1f9f0c-3f6e-4a55-9b52-0d6c1f1b2a3c', name: said('Pier 2'), address: said('2 Harbour Road') },
        ...{ hours: said('Daily 10–18'), note: said('No steps.'), map_url: 'https://maps.example.com/pier' },
      },
      {
        id: '6f1f9f0c-3f6e-4a55-9b52-0d6c1f1b2a3d',
        name: said('書店', 'zh'),
        address: said('台北 1 號', 'zh'),
        ...nothing,
      },
    ],
  });
  const [pier, shop] = await screen.findAllByRole('article', undefined, SLOW);
  expect(within(pier as HTMLElement).getByRole('heading', { level: 2, name: 'Pier 2' })).toBeTruthy();
  expect(pier?.textContent).toMatch(/2 Harbour Road.*Daily 10–18.*No steps\./);
  const map = (place: HTMLElement | undefined) => place?.querySelector('a')?.getAttribute('href');
  expect(map(pier)).toBe('https://maps.example.com/pier');
  // Without a map of its own, that of a search for the address.
  expect(new URL(map(shop) ?? '').searchParams.get('query')).toBe('台北 1 號');
  expect(shop?.querySelector('address')?.lang).toBe('zh-Hant-TW');
});

it('without locations the page says so, and what can be seen instead', async () => {
  await open('/locations', 'en', { '/locations': [] });
  expect(await screen.findByText(/No places are listed yet/, undefined, SLOW)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'See what Framelift does' })).toBeTruthy();
});

it('terms of the operators take the place of those that Framelift brings, with their own contents and date', async () => {
  const content =
    '## Who may come\n\nEverybody **kind**. <img src=x onerror=alert(1)>\n\n## Where\n\n[Here](javascript:alert(1))';
  await open('/terms', 'en', {
    '/legalText/terms': { ...BUILTIN, content, in_force_from: '2026-03-01T04:00:00.000Z' },
  });
  const text = await waitFor(async () => {
    expect((await article()).textContent).toContain('Everybody kind.');
    return article();
  }, SLOW);
  expect(document.body.textContent).toMatch(/In force since Mar 1, 2026/);
  expect(document.body.textContent).not.toMatch(/Last updated/);
  const links = [...document.querySelectorAll('nav a')];
  expect(links.map((link) => link.textContent)).toEqual(['Who may come', 'Where']);
  for (const link of links) expect(text.querySelector(link.getAttribute('href') ?? '')?.tagName).toBe('H2');
  expect(text.querySelector('img')).toBeNull();
  expect([...text.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual(['/privacy']);
});

it('earlier versions of the terms are listed with the days on which they were in force, and can be read', async () => {
  const [first, second] = ['2026-03-01T04:00:00.000Z', '2026-06-01T04:00:00.000Z'];
  const earlier = [
    { in_force_from: first, in_force_until: second },
    { in_force_from: null, in_force_until: first },
  ];
  const asked: (string | null)[] = [];
  answerCalls(({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://x');
    if (pathname !== '/legalText/terms') return success(aConfig);
    const at = searchParams.get('at');
    asked.push(at);
    if (at === first) return success({ content: 'The old rules.', ...earlier[0], earlier });
    if (at !== null) return success({ ...BUILTIN, in_force_until: first, earlier });
    return success({ ...BUILTIN, content: 'The new rules.', in_force_from: second, earlier });
  });
  const scrolled = vi.spyOn(window, 'scrollTo').mockReturnValue();
  await showPage(app, '/terms');
  await act(() => setLanguage('en'));
  expect(await screen.findByText('The new rules.', undefined, SLOW)).toBeTruthy();
  expect(scrolled).not.toHaveBeenCalled();
  expect(screen.queryByText(/no longer in force/)).toBeNull();
  expect(screen.getByRole('link', { name: 'In force until Mar 1, 2026' })).toBeTruthy();
  fireEvent.click(screen.getByRole('link', { name: 'In force from Mar 1, 2026 to Jun 1, 2026' }));
  expect(await screen.findByText('The old rules.', undefined, SLOW)).toBeTruthy();
  expect(screen.getByText(/no longer in force/)).toBeTruthy();
  expect(asked.at(-1)).toBe(first);
  expect(scrolled).toHaveBeenCalledWith(0, 0);
  fireEvent.click(screen.getByRole('link', { name: 'In force until Mar 1, 2026' }));
  await waitFor(() => expect(asked.at(-1)).toMatch(/^1970/));
  fireEvent.click(await screen.findByRole('link', { name: 'Read the current version' }));
  expect(await screen.findByText('The new rules.', undefined, SLOW)).toBeTruthy();
});
