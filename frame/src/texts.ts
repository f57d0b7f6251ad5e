/** What a frame says, in every language of the site. `{…}` is filled in by whoever shows it. */
const TEXTS = {
  en: {
    htmlLang: 'en',
    title: 'Pair this screen',
    intro: 'Your pictures in depth, on this screen.',
    scan: 'Scan the QR code with your phone, or open {address} and type the code.',
    confirm: 'Log in, compare the code and confirm.',
    next: 'A new code in',
    qr: 'QR code with the address for pairing',
    code: 'Code of this screen',
    starting: 'Getting a code …',
    refused: 'Pairing was refused. Here is another code.',
    unpaired: 'This frame was unpaired. It can be paired again.',
    network: 'No connection. It goes on by itself when the network is back.',
    service: 'Framelift is not available just now. It goes on by itself.',
    busy: 'Too many tries from here. It goes on by itself in a few minutes.',
    restricted: "The owner's account is restricted. This frame stays paired and waits.",
    paired: 'Paired with {owner} as',
    coming: 'Pictures cannot be sent to frames yet. As soon as they can, this screen shows them by itself.',
    connected: 'Connected',
    unpair: 'Unpair this frame',
    sure: 'Unpair this frame? Its owner is told, and a new code is shown here.',
    yes: 'Unpair',
    no: 'Keep it',
    failed: 'It could not be unpaired. Please try again.',
  },
  zh: {
    htmlLang: 'zh-Hant-TW',
    title: '配對這個螢幕',
    intro: '在這個螢幕上欣賞立體照片。',
    scan: '用手機掃描 QR Code，或開啟 {address} 並輸入代碼。',
    confirm: '登入後核對代碼，再按確認。',
    next: '更換代碼倒數',
    qr: '含有配對網址的 QR Code',
    code: '此螢幕的代碼',
    starting: '正在取得代碼…',
    refused: '配對已被拒絕。這是新的代碼。',
    unpaired: '此相框已解除配對，可以重新配對。',
    network: '目前沒有連線。網路恢復後會自動繼續。',
    service: 'Framelift 暫時無法使用。稍後會自動繼續。',
    busy: '從這裡嘗試的次數過多。幾分鐘後會自動繼續。',
    restricted: '擁有者的帳號已被限制使用。此相框會保持配對並等待。',
    paired: '已與 {owner} 配對，名稱為',
    coming: '目前還無法將照片傳送到相框。開放後，這個螢幕會自動開始顯示。',
    connected: '已連線',
    unpair: '解除配對',
    sure: '要解除此相框的配對嗎？系統會通知擁有者，這裡會顯示新的代碼。',
    yes: '解除配對',
    no: '保留',
    failed: '無法解除配對，請再試一次。',
  },
  ja: {
    htmlLang: 'ja',
    title: 'この画面をペアリング',
    intro: '奥行きのある写真を、この画面で。',
    scan: 'スマートフォンで QR コードを読み取るか、{address} を開いてコードを入力します。',
    confirm: 'ログインし、コードを照らし合わせて確認します。',
    next: '新しいコードまで',
    qr: 'ペアリング用アドレスの QR コード',
    code: 'この画面のコード',
    starting: 'コードを取得しています…',
    refused: 'ペアリングは拒否されました。新しいコードを表示しています。',
    unpaired: 'このフレームのペアリングは解除されました。もう一度ペアリングできます。',
    network: '接続されていません。ネットワークが戻ると自動的に続行します。',
    service: 'Framelift は現在ご利用いただけません。自動的に続行します。',
    busy: 'この場所からの試行が多すぎます。数分後に自動的に続行します。',
    restricted: '所有者のアカウントは利用が制限されています。このフレームはペアリングされたまま待機します。',
    paired: '{owner} さんとペアリング済み',
    coming: 'フレームに写真を送る機能はまだありません。使えるようになると、この画面に自動的に表示されます。',
    connected: '接続済み',
    unpair: 'ペアリングを解除',
    sure: 'このフレームのペアリングを解除しますか？所有者に通知され、ここに新しいコードが表示されます。',
    yes: '解除する',
    no: 'このままにする',
    failed: '解除できませんでした。もう一度お試しください。',
  },
} as const;

/** The texts of one language. */
export type Texts = { readonly [K in keyof (typeof TEXTS)['en']]: string };
export type Language = keyof typeof TEXTS;

export const textsOf = (language: Language): Texts => TEXTS[language];

/** The first of the browser's languages that we speak, English otherwise. */
export function languageOf(languages: readonly string[]): Language {
  for (const tag of languages) {
    const language = tag.toLowerCase().split('-')[0] ?? '';
    if (language in TEXTS) return language as Language;
  }
  return 'en';
}
