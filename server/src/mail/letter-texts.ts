import type { Language } from '@framelift/contract';
import type { Template } from './letters.ts';

export interface LetterText {
  readonly subject: string;
  /** `name` is empty where none should be shown. */
  readonly greeting: (name: string) => string;
  readonly body: string;
  /** On the button; the plain text shows the link itself. */
  readonly action: string;
  readonly note: string;
}

const hello = (name: string) => (name ? `Hello ${name},` : 'Hello,');
const nihao = (name: string) => (name ? `${name},您好:` : '您好:');
const konnichiwa = (name: string) => (name ? `${name} 様` : 'こんにちは。');

export const LETTER_TEXTS: Record<Template, Record<Language, LetterText>> = {
  confirmation: {
    en: {
      subject: 'Please confirm your e-mail address',
      greeting: hello,
      body: 'Welcome to Framelift. Please open this link and press the button there to confirm your e-mail address.',
      action: 'Confirm my address',
      note: 'The link is valid for 24 hours and works once. If you did not register, please ignore this mail: without your confirmation nothing happens.',
    },
    zh: {
      subject: '請確認您的電子郵件地址',
      greeting: nihao,
      body: '歡迎加入 Framelift。請開啟以下連結,並按下頁面上的按鈕,確認您的電子郵件地址。',
      action: '確認電子郵件地址',
      note: '此連結於 24 小時內有效,且只能使用一次。如果您沒有註冊,請忽略此信;未經您確認,帳號不會啟用。',
    },
    ja: {
      subject: 'メールアドレスの確認をお願いします',
      greeting: konnichiwa,
      body: 'Framelift へようこそ。下のリンクを開き、表示されたページのボタンを押してメールアドレスを確認してください。',
      action: 'メールアドレスを確認する',
      note: 'リンクの有効期限は 24 時間で、一度だけ使えます。お心当たりがない場合は、このメールを無視してください。確認がなければ何も起こりません。',
    },
  },
  alreadyRegistered: {
    en: {
      subject: 'You already have an account',
      greeting: hello,
      body: 'Somebody, probably you, tried to register at Framelift with this e-mail address. It already has an account: you can simply log in.',
      action: 'Log in',
      note: 'Nothing about your account has changed. If it was not you, you need not do anything.',
    },
    zh: {
      subject: '您已經有帳號了',
      greeting: nihao,
      body: '有人(可能是您本人)以這個電子郵件地址在 Framelift 註冊。此地址已有帳號,您可以直接登入。',
      action: '登入',
      note: '您的帳號沒有任何變動。如果不是您本人操作,則無須處理。',
    },
    ja: {
      subject: 'すでにアカウントをお持ちです',
      greeting: konnichiwa,
      body: 'このメールアドレスで Framelift への登録が試みられました(ご本人による操作と思われます)。すでにアカウントがありますので、そのままログインできます。',
      action: 'ログイン',
      note: 'アカウントの内容は何も変わっていません。お心当たりがない場合も、特に操作は必要ありません。',
    },
  },
};
