import type { Language } from '@framelift/contract';
import type { Texts } from '@framelift/texts';
import { errorText, textsIn } from '@framelift/texts/node';

export type NotificationCode = keyof Texts['notifications']['sent'];

/** Returns the text of a notification. `failure` is an error code, shown as its text. */
export function notificationText(
  code: NotificationCode,
  data: Readonly<Record<string, string>>,
  language: Language,
): { readonly title: string; readonly content: string } {
  const t = textsIn(language, 'notifications');
  const { name = '', sender = '', failure } = data;
  const values = { name, sender, failure: failure === undefined ? '' : errorText(failure, language) };
  return { title: t(`sent.${code}.title`), content: t(`sent.${code}.content`, values) };
}
