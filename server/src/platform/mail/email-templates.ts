import { htmlLangOf, type Language } from '@framelift/contract';
import { textsIn } from '@framelift/texts/node';
import { z } from 'zod';

/** The email templates. Each has a greeting, one message and one link. */
export const TEMPLATES = [
  'confirmation',
  'alreadyRegistered',
  'resetPassword',
  'choosePassword',
  'passwordChanged',
  'confirmNewEmail',
  'emailChangeAsked',
  'emailChanged',
  'accountDeletion',
  'framePaired',
  'friendRequest',
  'friendInvitation',
  'receipt',
  'renewalFailed',
  'paymentRefunded',
  'subscriptionEnding',
] as const;
export type Template = (typeof TEMPLATES)[number];

/** Emails that members send to others. They are counted apart, so that they do not use up the account emails of a day. */
export const INVITATIONS = ['friendRequest', 'friendInvitation'] as const satisfies readonly Template[];

/** Emails about money. They are counted apart too: whoever buys much can still reset their password. */
export const RECEIPTS = [
  'receipt',
  'renewalFailed',
  'paymentRefunded',
  'subscriptionEnding',
] as const satisfies readonly Template[];

export const emailTemplate = z.object({
  template: z.enum(TEMPLATES),
  data: z.object({
    name: z.string(),
    link: z.string(),
    /** Name and address of the member who sends an invitation. */
    from: z.string().default(''),
    address: z.string().default(''),
    /** What was bought, its price and the like, written in the language of the email. */
    values: z.record(z.string(), z.string()).default({}),
  }),
});
export type EmailTemplate = z.input<typeof emailTemplate>;

export interface RenderedEmail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Returns the email in one language, as plain text and as HTML with inline styles. */
export function renderEmail(email: EmailTemplate, language: Language): RenderedEmail {
  const t = textsIn(language, 'emails');
  const { template, data } = email;
  const { link } = data;
  const name = harmless(data.name);
  const from = harmless(data.from ?? '');
  const address = data.address ?? '';
  const values = { ...data.values, from: from ? t('sender', { name: from, address }) : address };
  const text = {
    subject: t(`${template}.subject`, values),
    greeting: name ? t('greetingNamed', { name }) : t('greeting'),
    body: t(`${template}.body`, values),
    action: t(`${template}.action`),
    note: t(`${template}.note`, values),
  };
  return {
    subject: text.subject,
    text: [text.greeting, text.body, link, text.note, '— Framelift'].join('\n\n').concat('\n'),
    html: html(language, text, link),
  };
}

/** Omits a name that a mail program would turn into a link: a stranger could use it for advertising. */
function harmless(name: string): string {
  return /[./:@\\]/.test(name) ? '' : name;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const FONTS = "system-ui,-apple-system,'Segoe UI','Noto Sans'";

/** Han characters are drawn as they are written in the language: a font of the other one has them too. */
const HAN_FONTS: Partial<Record<Language, string>> = {
  zh: "'PingFang TC','Microsoft JhengHei','Noto Sans CJK TC'",
  ja: "'Hiragino Sans','Yu Gothic UI','Noto Sans CJK JP'",
};

interface EmailText {
  readonly subject: string;
  readonly greeting: string;
  readonly body: string;
  /** Label of the button; the plain text contains the link itself. */
  readonly action: string;
  readonly note: string;
}

function html(language: Language, text: EmailText, link: string): string {
  const address = escapeHtml(link);
  const fonts = [FONTS, HAN_FONTS[language], 'sans-serif'].filter(Boolean).join();
  return `<!doctype html>
<html lang="${htmlLangOf(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(text.subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#f1f3f5;font-family:${fonts};color:#212529">
<div style="max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px;overflow-wrap:anywhere">
<p style="margin:0 0 24px;font-size:20px;font-weight:700"><span style="color:#e03131">Frame</span><span style="color:#0b7285">lift</span></p>
<p style="margin:0 0 12px;font-size:16px;line-height:1.6">${escapeHtml(text.greeting)}</p>
<p style="margin:0 0 24px;font-size:16px;line-height:1.6">${escapeHtml(text.body)}</p>
<p style="margin:0 0 24px"><a href="${address}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:#ff8268;color:#16181d;font-size:16px;font-weight:600;text-decoration:none">${escapeHtml(text.action)}</a></p>
<p style="margin:0 0 12px;font-size:13px;line-height:1.6;color:#495057">${escapeHtml(text.note)}</p>
<p style="margin:0;font-size:13px;line-height:1.6;word-break:break-all"><a href="${address}" style="color:#bf422b">${address}</a></p>
</div>
</body>
</html>
`;
}
