import { createHash } from 'node:crypto';
import { asLanguage, FALLBACK_LANGUAGE, formatMoney, htmlLangOf, type Language, type Money } from '@framelift/contract';
import { type Html, html, markup } from '../../platform/html.ts';

/** The pages on which a buyer approves: PayPal's part of a purchase, without scripts. */

const CHOICES = ['approve', 'decline', 'pending', 'cancel'] as const;
export type Choice = (typeof CHOICES)[number];

export function asChoice(value: unknown): Choice | null {
  return CHOICES.find((choice) => choice === value) ?? null;
}

interface Texts {
  readonly title: string;
  readonly test: string;
  readonly noMoney: string;
  readonly monthly: string;
  readonly approve: string;
  readonly decline: string;
  readonly pending: string;
  readonly cancel: string;
  readonly hint: string;
  readonly goneTitle: string;
  readonly gone: string;
  readonly paidTitle: string;
  readonly paid: string;
}

const TEXTS: Record<Language, Texts> = {
  en: {
    title: 'Pay with PayPal',
    test: 'Test',
    noMoney: 'This is a test page that stands in for PayPal. No money moves and no account is needed.',
    monthly: 'every month, until cancelled',
    approve: 'Approve and pay',
    decline: 'Decline the card',
    pending: 'Approve, but leave the payment pending',
    cancel: 'Cancel and go back',
    hint: 'Choose what should happen. On the real page you would log in to PayPal here.',
    goneTitle: 'This page has expired',
    gone: 'There is no payment waiting here. Go back to the shop and start it again.',
    paidTitle: 'Already paid',
    paid: 'This payment is complete. You can close this page.',
  },
  zh: {
    title: '使用 PayPal 付款',
    test: '測試',
    noMoney: '這是代替 PayPal 的測試頁面，不會實際扣款，也不需要帳戶。',
    monthly: '每月扣款，直到取消為止',
    approve: '同意並付款',
    decline: '讓卡片遭拒',
    pending: '同意，但讓款項維持待處理',
    cancel: '取消並返回',
    hint: '請選擇接下來要發生的情況。在正式頁面上，您會在這裡登入 PayPal。',
    goneTitle: '此頁面已失效',
    gone: '這裡沒有等待付款的訂單。請回到商店重新付款。',
    paidTitle: '已付款',
    paid: '這筆款項已完成，您可以關閉此頁面。',
  },
  ja: {
    title: 'PayPal で支払う',
    test: 'テスト',
    noMoney: 'PayPal の代わりに表示しているテストページです。実際の支払いは発生せず、アカウントも不要です。',
    monthly: '毎月（解約するまで）',
    approve: '同意して支払う',
    decline: 'カードを拒否する',
    pending: '同意するが、支払いを保留にする',
    cancel: 'キャンセルして戻る',
    hint: '次に起こることを選んでください。実際のページでは、ここで PayPal にログインします。',
    goneTitle: 'このページは期限切れです',
    gone: '支払い待ちの注文はありません。ショップに戻って、もう一度お手続きください。',
    paidTitle: 'お支払い済みです',
    paid: 'この支払いは完了しています。このページを閉じてかまいません。',
  },
};

const STYLE = `
:root{color-scheme:light dark;--ink:#1d2939;--soft:#526071;--paper:#fff;--ground:#eef2f6;--line:#c9d3de;--main:#0b5cab;--on:#fff;--note:#fff4d6;--note-ink:#5c4300}
@media (prefers-color-scheme:dark){:root{--ink:#e8edf3;--soft:#a8b4c2;--paper:#1c232c;--ground:#11161c;--line:#3b4653;--main:#7db8f5;--on:#0b1a2b;--note:#3a3016;--note-ink:#ffe3a1}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px 16px;background:var(--ground);color:var(--ink);font:16px/1.6 system-ui,-apple-system,'Segoe UI','Noto Sans','Noto Sans CJK TC','Noto Sans CJK JP',sans-serif}
main{width:100%;max-width:440px;background:var(--paper);border:1px solid var(--line);border-radius:16px;padding:24px}
h1{font-size:22px;line-height:1.3;margin:0 0 4px}
.note{background:var(--note);color:var(--note-ink);border-radius:10px;padding:12px 14px;margin:0 0 20px;font-size:15px}
.note b{display:inline-block;margin-right:6px}
.soft{color:var(--soft);font-size:15px;margin:0 0 4px;overflow-wrap:anywhere}
.price{font-size:32px;font-weight:700;line-height:1.3;margin:8px 0 0}
.hint{color:var(--soft);font-size:14px;margin:20px 0 12px}
form{display:grid;gap:10px}
button{font:inherit;min-height:48px;padding:10px 16px;border-radius:24px;border:1px solid var(--line);background:transparent;color:var(--ink);cursor:pointer}
button:hover{border-color:var(--main)}
button:focus-visible{outline:3px solid var(--main);outline-offset:2px}
.main{background:var(--main);border-color:var(--main);color:var(--on);font-weight:600}
`;

const HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * Returns the Content-Security-Policy of a page. Browsers also apply `form-action` to where an answer leads, so that the
 * addresses to return to are named.
 */
export function pagePolicy(returnAddresses: readonly (string | null)[]): string {
  const origins = new Set(returnAddresses.flatMap((address) => (address === null ? [] : new URL(address).origin)));
  const targets = ["'self'", ...origins].join(' ');
  return `default-src 'none'; style-src 'sha256-${HASH}'; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`;
}

export function languageOf(locale: string): Language {
  return asLanguage(locale.split('-')[0]) ?? FALLBACK_LANGUAGE;
}

function page(language: Language, title: string, body: Html): string {
  return html`<!doctype html>
<html lang="${htmlLangOf(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${title} · ${TEXTS[language].test}</title><style>${markup(STYLE)}</style></head>
<body><main>
<p class="note"><b>${TEXTS[language].test}</b>${TEXTS[language].noMoney}</p>
<h1>${title}</h1>
${body}
</main></body>
</html>
`.text;
}

export interface Approval {
  readonly locale: string;
  readonly brandName: string;
  readonly description: string;
  readonly money: Money;
  readonly isMonthly: boolean;
  /** Name and value of the field that the form sends back. */
  readonly token: { readonly name: string; readonly value: string };
}

/** Returns the page with the choices. The form is sent to its own address. */
export function approvalPage({ locale, brandName, description, money, isMonthly, token }: Approval): string {
  const language = languageOf(locale);
  const texts = TEXTS[language];
  const choices = isMonthly ? (['decline', 'cancel'] as const) : (['pending', 'decline', 'cancel'] as const);
  const buttons = choices.map((choice) => html`<button name="choice" value="${choice}">${texts[choice]}</button>`);
  return page(
    language,
    texts.title,
    html`<p class="soft">${[brandName, description].filter(Boolean).join(' · ')}</p>
<p class="price">${formatMoney(money, language)}</p>
${isMonthly ? html`<p class="soft">${texts.monthly}</p>` : html``}
<p class="hint">${texts.hint}</p>
<form method="post"><input type="hidden" name="${token.name}" value="${token.value}">
<button class="main" name="choice" value="approve">${texts.approve}</button>
${buttons}
</form>`,
  );
}

/** Returns the page for a payment that is `gone` (expired or never there) or already `paid`. */
export function closedPage(locale: string, kind: 'gone' | 'paid'): string {
  const language = languageOf(locale);
  const texts = TEXTS[language];
  return page(language, texts[`${kind}Title`], html`<p>${texts[kind]}</p>`);
}
