import { type Currency, formatMoney, htmlLangOf, type Language, LIMITS } from '@framelift/contract';
import type { Texts } from '@framelift/texts';
import { errorText, textsIn } from '@framelift/texts/node';

export type NotificationCode = keyof Texts['notifications']['sent'];

/**
 * Returns the text of a notification. What reads differently in each language is kept as data: `failure` is an error code,
 * `amount` and `currency` a price in the smallest unit, `date` an ISO time, and `name.<language>` one name a language.
 */
export function notificationText(
  code: NotificationCode,
  data: Readonly<Record<string, string>>,
  language: Language,
): { readonly title: string; readonly content: string } {
  const t = textsIn(language, 'notifications');
  const { sender = '', failure, amount, currency, date } = data;
  const values = {
    name: data[`name.${language}`] ?? data['name'] ?? '',
    sender,
    failure: failure === undefined ? '' : errorText(failure, language),
    price:
      amount === undefined ? '' : formatMoney({ amount: Number(amount), currency: currency as Currency }, language),
    date: date === undefined ? '' : dateIn(new Date(date), language),
  };
  return { title: t(`sent.${code}.title`), content: t(`sent.${code}.content`, values) };
}

/** Returns a day as people write it, in the time zone of the members. */
export function dateIn(time: Date, language: Language): string {
  const form = { dateStyle: 'long', timeZone: LIMITS.timeZone } as const;
  return new Intl.DateTimeFormat(htmlLangOf(language), form).format(time);
}

const CONTENT = '/member/video';
const FRAMES = '/menu/frameSetting';
const FRIENDS = '/addfriend';
const PAYMENTS = '/menu/payments';
const SUBSCRIPTIONS = '/subscribedetail';
const LINKS: Readonly<Record<NotificationCode, string>> = {
  pictureFinished: CONTENT,
  pictureFailed: CONTENT,
  videoFinished: CONTENT,
  videoFailed: CONTENT,
  formatFinished: CONTENT,
  formatFailed: CONTENT,
  linkUploads: CONTENT,
  guestUploadsLeft: CONTENT,
  uploadNotInAlbum: CONTENT,
  uploadNotOnFrame: CONTENT,
  framePaired: FRAMES,
  frameLeft: FRAMES,
  frameReceived: FRAMES,
  frameUnpaired: FRAMES,
  friendRequest: FRIENDS,
  friendConfirmed: FRIENDS,
  paymentReceived: PAYMENTS,
  paymentRefunded: PAYMENTS,
  renewalFailed: SUBSCRIPTIONS,
  subscriptionEnding: SUBSCRIPTIONS,
  serverFull: '/admin',
  paymentProblem: '/admin/payments',
  paymentUnanswered: '/admin/payments?problem=unanswered',
  refundsUnasked: '/admin/payments',
};

/** Returns the page of the web app where the member goes on; what is about one media leads to that instead. */
export const notificationLink = (code: NotificationCode): string => LINKS[code];
