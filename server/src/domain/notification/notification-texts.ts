import type { Language } from '@framelift/contract';
import { errorText } from '@framelift/texts/node';

interface NotificationText {
  readonly title: string;
  readonly content: string;
}

/** `{failure}` is the sentence of a code of the error table. */
export const NOTIFICATION_TEXTS = {
  pictureFinished: {
    en: { title: 'Your picture is ready', content: 'You can look at “{name}” and download it.' },
    zh: { title: '照片轉換完成', content: '「{name}」已可檢視與下載。' },
    ja: { title: '写真の変換が完了しました', content: '「{name}」を表示してダウンロードできます。' },
  },
  pictureFailed: {
    en: { title: 'A picture could not be converted', content: '“{name}”: {failure}' },
    zh: { title: '照片無法轉換', content: '「{name}」：{failure}' },
    ja: { title: '写真を変換できませんでした', content: '「{name}」：{failure}' },
  },
  videoFinished: {
    en: { title: 'Your video is ready', content: 'You can watch “{name}” and download it.' },
    zh: { title: '影片轉換完成', content: '「{name}」已可觀看與下載。' },
    ja: { title: '動画の変換が完了しました', content: '「{name}」を再生してダウンロードできます。' },
  },
  videoFailed: {
    en: { title: 'A video could not be converted', content: '“{name}”: {failure}' },
    zh: { title: '影片無法轉換', content: '「{name}」：{failure}' },
    ja: { title: '動画を変換できませんでした', content: '「{name}」：{failure}' },
  },
  formatFinished: {
    en: {
      title: 'Another format of your video is ready',
      content: 'The format of “{name}” that you asked for can be downloaded.',
    },
    zh: { title: '影片的其他格式已完成', content: '您要的「{name}」其他格式已可下載。' },
    ja: { title: '動画の別の形式ができました', content: '「{name}」の別の形式をダウンロードできます。' },
  },
  formatFailed: {
    en: { title: 'A format of your video could not be made', content: '“{name}”: {failure}' },
    zh: { title: '無法製作影片的其他格式', content: '「{name}」：{failure}' },
    ja: { title: '動画の別の形式を作成できませんでした', content: '「{name}」：{failure}' },
  },
  framePaired: {
    en: { title: 'A frame was paired', content: '“{name}” belongs to your frames now.' },
    zh: { title: '相框配對完成', content: '「{name}」已加入您的相框。' },
    ja: { title: 'フレームをペアリングしました', content: '「{name}」があなたのフレームに加わりました。' },
  },
  frameLeft: {
    en: { title: 'A frame was unpaired', content: '“{name}” was unpaired at the frame itself.' },
    zh: { title: '相框已解除配對', content: '有人在相框上解除了「{name}」的配對。' },
    ja: {
      title: 'フレームのペアリングが解除されました',
      content: '「{name}」のペアリングがフレーム側で解除されました。',
    },
  },
} as const satisfies Record<string, Record<Language, NotificationText>>;

export type NotificationCode = keyof typeof NOTIFICATION_TEXTS;

/** What a notification says in one language. */
export function notificationText(
  code: NotificationCode,
  data: Readonly<Record<string, string>>,
  language: Language,
): NotificationText {
  const { title, content } = NOTIFICATION_TEXTS[code][language];
  const filled = content.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = data[key] ?? '';
    return key === 'failure' ? errorText(value, language) : value;
  });
  return { title, content: filled };
}
