import { readdirSync, readFileSync } from 'node:fs';
import { LANGUAGES, type Language } from '@framelift/contract';
import { describe, expect, it } from 'vitest';
import { areas, flatten, readTexts } from './testing.ts';

const ROOT = `${import.meta.dirname}/..`;
const languages = LANGUAGES.map(({ code }) => code);

/** All texts of a language by area and key, but for the page of parts that only developers see. */
function textsOf(language: Language): Map<string, string> {
  const all = areas.filter((area) => area !== 'dev').map((area) => [area, flatten(readTexts(language, area))] as const);
  return new Map(all.flatMap(([area, texts]) => [...texts].map(([key, text]) => [`${area}:${key}`, text])));
}

/** Where each name of docs/decisions/0021-words.md is used: it is the same everywhere. */
const NAMES: Record<string, readonly string[]> = {
  Menu: ['menu:title', 'shell:memberArea', 'shell:side.memberCenter', 'shell:footer.menu', 'shell:titles.menu'],
  'Convert a photo': [
    'landing:start',
    'install:convert',
    'upload:title',
    'shell:convert',
    'shell:side.uploadFile',
    'content:convert',
    'guest:convert',
    'orders:empty.all.go',
    'pages:upload.title',
    'pages:faq.try',
    'admin:features.names.convert2to3',
  ],
  'My content': ['content:title', 'install:pictures', 'menu:content', 'profile:storage.content', 'shell:side.content'],
  Orders: ['orders:title', 'menu:order', 'shell:side.order', 'admin:features.names.orderMenu'],
  'My frames': [
    'frames:title',
    'install:frames',
    'frames:scan.mine',
    'menu:frameSetting',
    'shell:side.frameSetting',
    'emails:framePaired.action',
    'admin:features.names.frameSetting',
  ],
  'My points': ['points:title', 'menu:points', 'profile:myPoints'],
  Payments: ['orders:payment.title', 'menu:payments'],
  'My subscriptions': ['subscription:title', 'menu:subscription', 'profile:mySubscriptions'],
  'Shared links': ['share:list.title', 'menu:shares'],
  'Redeem a code': ['menu:serial', 'admin:features.names.enterSerial'],
  'Questions and answers': ['pages:faq.title', 'menu:qa', 'landing:questions', 'admin:features.names.qa'],
  'About Framelift': ['pages:about.title', 'menu:about', 'landing:about'],
  Administration: ['admin:title', 'menu:admin'],
  'Other formats': ['formats:title', 'result:download.other'],
  'Depth map': ['formats:formats.depth.name'],
  'Focus plane': ['edit:plane.label'],
  '3D strength': ['edit:strength.label', 'upload:strength.label', 'result:facts.strength', 'tutorial:strength.title'],
};

/** Words that a text must not contain: another name of a thing, or a word that no native writer would use for it. */
const BANNED: Partial<Record<Language, RegExp>> = {
  en: /\b(member (area|center)|frame settings?|order menu|enter (a )?serial|convert a picture|exchange the eyes|with crossed eyes|re-take|change it$|are you sure|is not right|write to the operator|put it up|sign (in|up|out)|moving picture|is on its way into)\b/i,
  zh: /景深|交叉眼|圖片|框面|您的框|會員(中心|專區)|電子郵件地址|視頻|登錄|信息|屏幕|默認|哎呀/,
  ja: /，|おっと|購読|奥行きマップ|マイ画像|ほかの形式|(?<!その)他の形式|会員センター|ブラウザ(?!ー)|私たちについて|会社情報|フレーム(の)?設定/,
};
/** Generated files are images in Japanese; what a member has is a photo. */
const JAPANESE_IMAGE = /画像/;
const HAS_IMAGES = /^(formats:|landing:frames\.quilt\.text$)/;

const KANA_OR_HAN = '[\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Han}ー、。！？（）「」：]';
/**
 * Spaces around Latin letters, digits and what is filled in: none in Japanese, one in Chinese, except beside full-width
 * punctuation and after dates and durations, which end with a Han character.
 */
const SPACING: Partial<Record<Language, RegExp>> = {
  ja: new RegExp(`${KANA_OR_HAN} +[\\w{+(%]|[\\w})%] +${KANA_OR_HAN}`, 'u'),
  zh: /\p{Script=Han}(?:[A-Za-z0-9]|\{\{)|(?:[A-Za-z0-9%]|(?<!\{\{(?:date|duration))\}\}|\{\{(?:date|duration)\}\} )\p{Script=Han}|[，。、：；？！（）「」…] | [，。、：；？！（）「」]/u,
};

const NESTED = /\$t\([^)]*\)/g;
const faults = (language: Language, texts: Map<string, string>) =>
  [...texts]
    .map(([key, text]) => [key, text.replace(NESTED, '')] as const)
    .filter(
      ([key, text]) =>
        BANNED[language]?.test(text) ||
        SPACING[language]?.test(text) ||
        (language === 'ja' && JAPANESE_IMAGE.test(text) && !HAS_IMAGES.test(key)),
    )
    .map((fault) => fault.join(' '));

describe('the words', () => {
  it.each(languages)('of %s are the ones of the glossary, spaced by one rule', (language) => {
    expect(faults(language, textsOf(language))).toEqual([]);
  });

  it.each(Object.entries(NAMES))(
    '"%s" is one name, the same wherever it stands, as the glossary says',
    (name, keys) => {
      const row = readFileSync(`${ROOT}/docs/decisions/0021-words.md`, 'utf8')
        .split('\n')
        .map((line) => line.split('|').map((cell) => cell.trim()))
        .find((cells) => cells[1] === name);
      const [en, zh, ja] = row?.slice(1, 4) ?? [];
      const used = (language: Language) => {
        const texts = textsOf(language);
        return [...new Set(keys.map((key) => texts.get(key)))];
      };
      expect({ en: used('en'), zh: used('zh'), ja: used('ja') }).toEqual({ en: [en], zh: [zh], ja: [ja] });
    },
  );

  it('are in texts/ alone: no source of a page has a Chinese or Japanese sentence, and none of the banned names', () => {
    const found: string[] = [];
    const read = (folder: string) => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = `${folder}/${entry.name}`;
        if (entry.isDirectory()) read(path);
        else if (/\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name) && !path.includes('/testing/')) {
          const source = readFileSync(path, 'utf8');
          if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{4,}/u.test(source)) found.push(path);
          for (const [, words = ''] of source.matchAll(/(?:label|title|text)=["']([^"']+)["']/g))
            if (BANNED.en?.test(words)) found.push(`${path}: ${words}`);
        }
      }
    };
    for (const folder of ['web/src', 'frame/src', 'server/src']) read(`${ROOT}/${folder}`);
    expect(found).toEqual([]);
  });

  it('that are wrong are found', () => {
    const wrong = (language: Language, text: string) => faults(language, new Map([['upload:x', text]])).length;
    for (const text of ['Convert a picture', 'Are you sure?', 'Member area']) expect(wrong('en', text), text).toBe(1);
    for (const text of [
      '使用景深',
      '這張圖片',
      '上限 50MB的檔案',
      '{{count}}張',
      '「照片」 已刪除',
      '於 {{date}} 到期',
    ])
      expect(wrong('zh', text), text).toBe(1);
    for (const text of ['おっと', '自然な色，明るめ', '3D で見る', '{{count}} 件', 'この画像'])
      expect(wrong('ja', text), text).toBe(1);
    for (const text of ['{{count}} 張照片，最大 50 MB。', 'QR Code「{{name}}」', '於 {{date}}到期'])
      expect(wrong('zh', text), text).toBe(0);
    for (const text of ['{{count}}件、50 MBまで', '{{width}} × {{height}} px']) expect(wrong('ja', text), text).toBe(0);
  });
});
