/** What a screen shows until it can be paired. The English text stands in index.html too, for a page without scripts. */
const NOTICES = {
  en: {
    htmlLang: 'en',
    text: 'Pairing this screen with your pictures will be possible in a coming version.',
  },
  zh: {
    htmlLang: 'zh-Hant-TW',
    text: '未來的版本將可讓這個螢幕與您的照片配對。',
  },
  ja: {
    htmlLang: 'ja',
    text: '今後のバージョンで、この画面をあなたの写真とペアリングできるようになります。',
  },
} as const;

type Notice = (typeof NOTICES)[keyof typeof NOTICES];

/** The notice in the first of the browser's languages that we speak, English otherwise. */
export function noticeFor(languages: readonly string[]): Notice {
  for (const tag of languages) {
    const language = tag.toLowerCase().split('-')[0];
    if (language === 'en' || language === 'zh' || language === 'ja') return NOTICES[language];
  }
  return NOTICES.en;
}
