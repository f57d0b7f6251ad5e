import { createHash } from 'node:crypto';
import { formatMoney, fromDecimal, htmlLangOf, type Language } from '@framelift/contract';
import { textsIn } from '@framelift/texts/node';
import { type Html, html, markup } from '../../platform/html.ts';
import type { Refusal } from './messages.ts';
import type { Trade } from './state.ts';

/** The test cards that SunPay publishes: number, expiry, security code. */
export const TEST_CARDS = [
  { number: '4938170188888994', expiry: '12/28', code: '541' },
  { number: '5430450130000033', expiry: '12/28', code: '534' },
] as const;
const [CARD] = TEST_CARDS;

const STYLE = `
:root{color-scheme:light dark;--ink:#1f2933;--soft:#52606d;--paper:#fff;--ground:#f1f4f7;--line:#c9d2db;--action:#b3261e;--note:#fff4d6;--noteink:#5c4300}
@media (prefers-color-scheme:dark){:root{--ink:#e9ecef;--soft:#a5adb5;--paper:#1f2428;--ground:#131618;--line:#454d55;--action:#c93a30;--note:#3a2f10;--noteink:#ffe29a}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:start center;padding:24px 16px 48px;background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,-apple-system,'Segoe UI','Noto Sans','Noto Sans CJK TC','Noto Sans CJK JP',sans-serif}
main{width:100%;max-width:440px;background:var(--paper);border:1px solid var(--line);border-radius:16px;overflow:hidden}
.note{margin:0;padding:12px 24px;background:var(--note);color:var(--noteink);font-size:14px}
section{padding:24px}
h1{font-size:20px;line-height:1.3;margin:0 0 16px}
.sum{font-size:32px;font-weight:700;line-height:1.2;margin:0;font-variant-numeric:tabular-nums}
dl{display:grid;grid-template-columns:auto 1fr;gap:4px 16px;margin:12px 0 24px;font-size:14px}
dt{color:var(--soft)}dd{margin:0;text-align:right;overflow-wrap:anywhere}
label{display:block;font-weight:600;font-size:14px;margin:0 0 4px}
input[inputmode]{width:100%;min-height:44px;padding:8px 12px;border:1px solid var(--line);border-radius:8px;background:var(--paper);color:var(--ink);font:inherit;font-variant-numeric:tabular-nums}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:12px;margin:12px 0}
.soft{color:var(--soft);font-size:14px;margin:8px 0}
.wrong{color:var(--action);font-weight:600}
.check{display:flex;gap:12px;align-items:center;min-height:44px;padding:6px 0;line-height:1.35;font-weight:400;margin:0}
.check input{width:20px;height:20px;flex:none}
button{width:100%;min-height:48px;margin:12px 0 0;border:1px solid var(--line);border-radius:10px;background:transparent;color:var(--ink);font:inherit;font-weight:600;cursor:pointer}
button.main{background:var(--action);border-color:var(--action);color:#fff}
:focus-visible{outline:3px solid #1c7ed6;outline-offset:2px}
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * Returns the policy of a page whose forms go to these origins. `sandbox` gives it an origin of its own, so that its way
 * back to the shop is a cross-site POST without cookies, as it is from SunPay's own site.
 */
export function policyOf(formTargets: readonly string[]): string {
  const targets = [...new Set(formTargets.map((url) => new URL(url).origin))].join(' ');
  return [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action 'self' ${targets}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    'sandbox allow-forms',
  ].join('; ');
}

function page(language: Language, title: string, body: Html): string {
  const t = textsIn(language, 'sunpay');
  // The icon is none, because the policy would refuse one.
  return html`<!doctype html>
<html lang="${htmlLangOf(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${markup(STYLE)}</style></head>
<body><main><p class="note" role="note"><strong>${t('test')}</strong> ${t('noMoney')}</p><section><h1>${title}</h1>
${body}
</section></main></body></html>
`.text;
}

function summary(language: Language, trade: Trade): Html {
  const t = textsIn(language, 'sunpay');
  const amount = fromDecimal(trade.mn, 'TWD') ?? 0;
  return html`<p class="sum">${formatMoney({ amount, currency: 'TWD' }, language)}</p>
<dl>${trade.info ? html`<dt>${t('item')}</dt><dd>${trade.info}</dd>` : html``}<dt>${t('order')}</dt><dd>${trade.td}</dd></dl>`;
}

/** Returns the page on which the buyer pays, or decides how it goes wrong. */
export function payPage(language: Language, trade: Trade, wrongCard = false): string {
  const t = textsIn(language, 'sunpay');
  const check = (name: string, label: string) =>
    html`<label class="check"><input type="checkbox" name="${name}" value="1">${label}</label>`;
  const card =
    trade.result === 'created'
      ? html`<p>${t('created.waiting')}</p>`
      : html`<label for="number">${t('card.number')}</label>
<input id="number" name="number" inputmode="numeric" autocomplete="off" value="${CARD.number}"${invalid(wrongCard)}>
<div class="pair"><div><label for="expiry">${t('card.expiry')}</label>
<input id="expiry" name="expiry" inputmode="numeric" autocomplete="off" value="${CARD.expiry}"></div>
<div><label for="code">${t('card.code')}</label>
<input id="code" name="code" inputmode="numeric" autocomplete="off" value="${CARD.code}"></div></div>
<p id="hint" class="${wrongCard ? 'wrong' : 'soft'}"${markup(wrongCard ? ' role="alert"' : '')}>${wrongCard ? t('card.wrong', CARD) : t('card.hint')}</p>`;
  return page(
    language,
    t('title'),
    html`${summary(language, trade)}
<form method="post">${card}
${check('silent', t('silent'))}${trade.kind === 'token' ? check('declines', t('declines')) : html``}
<button class="main" name="result" value="success">${t('pay')}</button>
<button name="result" value="failure">${t('fail')}</button>
${trade.result === 'created' || trade.kind === 'token' ? html`` : html`<button name="result" value="created">${t('later')}</button>`}
</form>`,
  );
}

const invalid = (wrong: boolean): Html => markup(wrong ? ' aria-invalid="true" aria-describedby="hint"' : '');

/** Returns the page after the payment: its button posts the signed result to the shop, as SunPay's page does. */
export function donePage(
  language: Language,
  trade: Trade,
  back: { readonly url: string; readonly fields: Readonly<Record<string, string>> },
): string {
  const t = textsIn(language, 'sunpay');
  const inputs = Object.entries(back.fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return page(
    language,
    t(`done.${trade.result ?? 'failure'}`),
    html`${summary(language, trade)}
<form method="post" action="${back.url}">${inputs}<button class="main">${t('back')}</button></form>`,
  );
}

/** Returns the page for a message that is refused, and for an address without a payment. */
export function refusedPage(language: Language, refusal: Refusal | 'noPayment'): string {
  const t = textsIn(language, 'sunpay');
  const known = { duplicateOrder: t('refused.used'), staleSendTime: t('refused.late'), noPayment: t('refused.gone') };
  const text = refusal in known ? known[refusal as keyof typeof known] : t('refused.message');
  return page(language, t('refused.title'), html`<p>${text}</p><p class="soft">${refusal}</p>`);
}
