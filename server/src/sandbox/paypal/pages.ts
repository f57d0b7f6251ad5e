import { createHash } from 'node:crypto';
import { asLanguage, FALLBACK_LANGUAGE, formatMoney, htmlLangOf, type Language, type Money } from '@framelift/contract';
import { textsIn } from '@framelift/texts/node';
import { type Html, html, markup } from '../../platform/html.ts';

/** The pages on which a buyer approves: PayPal's part of a purchase, without scripts. */

const CHOICES = ['approve', 'decline', 'pending', 'cancel'] as const;
export type Choice = (typeof CHOICES)[number];

export function asChoice(value: unknown): Choice | null {
  return CHOICES.find((choice) => choice === value) ?? null;
}

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
  const t = textsIn(language, 'paypal');
  return html`<!doctype html>
<html lang="${htmlLangOf(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${title} · ${t('test')}</title><style>${markup(STYLE)}</style></head>
<body><main>
<p class="note"><b>${t('test')}</b>${t('noMoney')}</p>
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
  const t = textsIn(language, 'paypal');
  const choices = isMonthly ? (['decline', 'cancel'] as const) : (['pending', 'decline', 'cancel'] as const);
  const buttons = choices.map((choice) => html`<button name="choice" value="${choice}">${t(choice)}</button>`);
  return page(
    language,
    t('title'),
    html`<p class="soft">${[brandName, description].filter(Boolean).join(' · ')}</p>
<p class="price">${formatMoney(money, language)}</p>
${isMonthly ? html`<p class="soft">${t('monthly')}</p>` : html``}
<p class="hint">${t('hint')}</p>
<form method="post"><input type="hidden" name="${token.name}" value="${token.value}">
<button class="main" name="choice" value="approve">${t('approve')}</button>
${buttons}
</form>`,
  );
}

/** Returns the page for a payment that is `gone` (expired or never there) or already `paid`. */
export function closedPage(locale: string, kind: 'gone' | 'paid'): string {
  const language = languageOf(locale);
  const t = textsIn(language, 'paypal');
  const [title, text] = kind === 'gone' ? [t('goneTitle'), t('gone')] : [t('paidTitle'), t('paid')];
  return page(language, title, html`<p>${text}</p>`);
}
