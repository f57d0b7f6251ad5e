import type { Language } from '@framelift/contract';
import type { Template } from './email-templates.ts';

export interface EmailText {
  readonly subject: string;
  /** `name` is empty where none should be shown. */
  readonly greeting: (name: string) => string;
  readonly body: string;
  /** On the button; the plain text shows the link itself. */
  readonly action: string;
  readonly note: string;
}

const hello = (name: string) => (name ? `Hello ${name},` : 'Hello,');
const nihao = (name: string) => (name ? `${name}，您好：` : '您好：');
const konnichiwa = (name: string) => (name ? `${name} 様` : 'こんにちは。');

export const EMAIL_TEXTS: Record<Template, Record<Language, EmailText>> = {
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
      body: '歡迎加入 Framelift。請開啟以下連結，並按下頁面上的按鈕，確認您的電子郵件地址。',
      action: '確認電子郵件地址',
      note: '此連結於 24 小時內有效，且只能使用一次。如果您沒有註冊，請忽略此信；未經您確認，帳號不會啟用。',
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
      body: '有人（可能是您本人）以這個電子郵件地址在 Framelift 註冊。此地址已有帳號，您可以直接登入。',
      action: '登入',
      note: '您的帳號沒有任何變動。如果不是您本人操作，則無須處理。',
    },
    ja: {
      subject: 'すでにアカウントをお持ちです',
      greeting: konnichiwa,
      body: 'このメールアドレスで Framelift への登録が試みられました（ご本人による操作と思われます）。すでにアカウントがありますので、そのままログインできます。',
      action: 'ログイン',
      note: 'アカウントの内容は何も変わっていません。お心当たりがない場合も、特に操作は必要ありません。',
    },
  },
  resetPassword: {
    en: {
      subject: 'Choose a new password',
      greeting: hello,
      body: 'Somebody, probably you, asked for a new password at Framelift. Please open this link and choose one.',
      action: 'Choose a new password',
      note: 'The link is valid for 24 hours and works once; a newer mail makes it void. If you did not ask, please ignore this mail: your password stays as it is.',
    },
    zh: {
      subject: '請設定新密碼',
      greeting: nihao,
      body: '有人（可能是您本人）在 Framelift 要求設定新密碼。請開啟以下連結，設定新密碼。',
      action: '設定新密碼',
      note: '此連結於 24 小時內有效，且只能使用一次；收到較新的信後，此連結即失效。如果您沒有提出要求，請忽略此信；您的密碼不會變更。',
    },
    ja: {
      subject: '新しいパスワードを設定してください',
      greeting: konnichiwa,
      body: 'Framelift で新しいパスワードの設定が求められました（ご本人による操作と思われます）。下のリンクを開き、新しいパスワードを設定してください。',
      action: '新しいパスワードを設定する',
      note: 'リンクの有効期限は 24 時間で、一度だけ使えます。新しいメールが届くと、このリンクは無効になります。お心当たりがない場合は、このメールを無視してください。パスワードは変わりません。',
    },
  },
  choosePassword: {
    en: {
      subject: 'Your address is confirmed: please choose a password',
      greeting: hello,
      body: 'Your e-mail address was registered more than once, with different passwords. To keep strangers out, none of them works. Please open this link and choose your password.',
      action: 'Choose my password',
      note: 'The link is valid for 24 hours and works once. After that, "Forgot password" on the login page sends another.',
    },
    zh: {
      subject: '電子郵件地址已確認，請設定密碼',
      greeting: nihao,
      body: '您的電子郵件地址曾以不同的密碼重複註冊。為了防止他人登入，這些密碼均已失效。請開啟以下連結，設定您的密碼。',
      action: '設定我的密碼',
      note: '此連結於 24 小時內有效，且只能使用一次。逾時請使用登入頁面的「忘記密碼」重新索取。',
    },
    ja: {
      subject: 'メールアドレスを確認しました。パスワードを設定してください',
      greeting: konnichiwa,
      body: 'お使いのメールアドレスは、異なるパスワードで複数回登録されました。第三者によるログインを防ぐため、どのパスワードも無効にしました。下のリンクを開き、パスワードを設定してください。',
      action: 'パスワードを設定する',
      note: 'リンクの有効期限は 24 時間で、一度だけ使えます。期限が切れた場合は、ログイン画面の「パスワードを忘れた」から再度お求めください。',
    },
  },
  passwordChanged: {
    en: {
      subject: 'Your password was changed',
      greeting: hello,
      body: 'The password of your Framelift account was changed. Everywhere else you have been logged out.',
      action: 'Log in',
      note: 'If it was not you, choose a new password at once with "Forgot password" on the login page.',
    },
    zh: {
      subject: '您的密碼已變更',
      greeting: nihao,
      body: '您的 Framelift 帳號密碼已變更，其他裝置均已登出。',
      action: '登入',
      note: '如果不是您本人操作，請立即使用登入頁面的「忘記密碼」設定新密碼。',
    },
    ja: {
      subject: 'パスワードが変更されました',
      greeting: konnichiwa,
      body: 'Framelift アカウントのパスワードが変更されました。ほかの端末からはログアウトしています。',
      action: 'ログイン',
      note: 'お心当たりがない場合は、ログイン画面の「パスワードを忘れた」からすぐに新しいパスワードを設定してください。',
    },
  },
  confirmNewEmail: {
    en: {
      subject: 'Please confirm your new e-mail address',
      greeting: hello,
      body: 'You asked to use this e-mail address for your Framelift account. Please open this link and press the button there to confirm it.',
      action: 'Confirm my new address',
      note: 'The link is valid for 24 hours and works once. If you did not ask, please ignore this mail: nothing changes without your confirmation.',
    },
    zh: {
      subject: '請確認您的新電子郵件地址',
      greeting: nihao,
      body: '您要求將 Framelift 帳號改用此電子郵件地址。請開啟以下連結，並按下頁面上的按鈕進行確認。',
      action: '確認新地址',
      note: '此連結於 24 小時內有效，且只能使用一次。如果您沒有提出要求，請忽略此信；未經您確認，不會有任何變更。',
    },
    ja: {
      subject: '新しいメールアドレスの確認をお願いします',
      greeting: konnichiwa,
      body: 'このメールアドレスを Framelift アカウントで使うための変更が求められました。下のリンクを開き、表示されたページのボタンを押して確認してください。',
      action: '新しいアドレスを確認する',
      note: 'リンクの有効期限は 24 時間で、一度だけ使えます。お心当たりがない場合は、このメールを無視してください。確認がなければ何も変わりません。',
    },
  },
  emailChangeAsked: {
    en: {
      subject: 'Somebody asked to change your e-mail address',
      greeting: hello,
      body: 'Another e-mail address was asked for on your Framelift account. It takes effect when its owner confirms it by a link.',
      action: 'Log in',
      note: 'If it was not you, log in and change your password at once: that makes the link void and logs everybody else out.',
    },
    zh: {
      subject: '有人要求變更您的電子郵件地址',
      greeting: nihao,
      body: '有人要求將您的 Framelift 帳號改用另一個電子郵件地址。新地址經連結確認後才會生效。',
      action: '登入',
      note: '如果不是您本人操作，請立即登入並變更密碼；連結將隨之失效，其他裝置也會登出。',
    },
    ja: {
      subject: 'メールアドレスの変更が求められました',
      greeting: konnichiwa,
      body: 'Framelift アカウントで使うメールアドレスの変更が求められました。新しいアドレスがリンクで確認されると有効になります。',
      action: 'ログイン',
      note: 'お心当たりがない場合は、すぐにログインしてパスワードを変更してください。リンクは無効になり、ほかの端末からはログアウトします。',
    },
  },
  emailChanged: {
    en: {
      subject: 'Your e-mail address was changed',
      greeting: hello,
      body: 'Your Framelift account uses another e-mail address from now on. This one is no longer used.',
      action: 'Log in',
      note: 'If it was not you, please write to the operator of this site: this address can no longer log in.',
    },
    zh: {
      subject: '您的電子郵件地址已變更',
      greeting: nihao,
      body: '您的 Framelift 帳號已改用另一個電子郵件地址，此地址不再使用。',
      action: '登入',
      note: '如果不是您本人操作，請聯絡本站管理者；此地址已無法登入。',
    },
    ja: {
      subject: 'メールアドレスが変更されました',
      greeting: konnichiwa,
      body: 'Framelift アカウントのメールアドレスが変更されました。このアドレスは今後使われません。',
      action: 'ログイン',
      note: 'お心当たりがない場合は、このサイトの運営者にご連絡ください。このアドレスではログインできなくなっています。',
    },
  },
  accountDeletion: {
    en: {
      subject: 'Your account will be removed in 14 days',
      greeting: hello,
      body: 'You asked for your Framelift account to be removed. In 14 days it goes for good, with all its pictures and videos. Until then you can log in and keep it.',
      action: 'Log in and keep it',
      note: 'If it was not you, log in and keep the account, then change your password.',
    },
    zh: {
      subject: '您的帳號將於 14 天後刪除',
      greeting: nihao,
      body: '您要求刪除 Framelift 帳號。14 天後，帳號與所有圖片及影片將永久刪除。在此之前，您可以登入並保留帳號。',
      action: '登入並保留帳號',
      note: '如果不是您本人操作，請登入並保留帳號，然後變更密碼。',
    },
    ja: {
      subject: 'アカウントは 14 日後に削除されます',
      greeting: konnichiwa,
      body: 'Framelift アカウントの削除が求められました。14 日後に、すべての画像・動画とともに完全に削除されます。それまではログインしてアカウントを残すことができます。',
      action: 'ログインして残す',
      note: 'お心当たりがない場合は、ログインしてアカウントを残し、パスワードを変更してください。',
    },
  },
  framePaired: {
    en: {
      subject: 'A frame was paired with your account',
      greeting: hello,
      body: 'A display frame was just paired with your Framelift account.',
      action: 'See my frames',
      note: 'If it was not you, open your frames, unpair it, and change your password.',
    },
    zh: {
      subject: '您的帳號已配對新的相框',
      greeting: nihao,
      body: '剛才有一個相框與您的 Framelift 帳號配對。',
      action: '查看我的相框',
      note: '如果不是您本人操作，請開啟相框頁面解除配對，並變更密碼。',
    },
    ja: {
      subject: 'アカウントにフレームがペアリングされました',
      greeting: konnichiwa,
      body: 'お使いの Framelift アカウントに、新しいフレームがペアリングされました。',
      action: 'フレームを確認する',
      note: 'お心当たりがない場合は、フレームのページでペアリングを解除し、パスワードを変更してください。',
    },
  },
};
