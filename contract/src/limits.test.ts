import { describe, expect, it } from 'vitest';
import { FALLBACK_LANGUAGE, LANGUAGES, LIMITS, MEDIA_STATUS, MEDIA_TYPE, ORDER_TYPE } from './limits.ts';

/** The values of the specification's section 9. What people or callers see of them is proved where they meet it. */
describe('the limits of the specification', () => {
  it('50 MB for an upload, 52,428,800 bytes inclusive', () => {
    expect(LIMITS.uploadBytes).toBe(50 * 1024 * 1024);
  });
  it('a language has a name, in itself, and a code: en, zh or ja', () => {
    const names = Object.fromEntries(LANGUAGES.map(({ code, name }) => [code, name]));
    expect(names).toEqual({ en: 'English', zh: '繁體中文', ja: '日本語' });
  });
  it('30 characters of text', () => {
    expect(LIMITS.textLength).toBe(30);
  });
  it('8 characters of a password at least', () => {
    expect(LIMITS.password.min).toBe(8);
  });
  it('more than 4 views of ads', () => {
    expect(LIMITS.adsTimes).toBe(4);
  });
  it('a QR code of 350 pixels, looked for 5 s', () => {
    expect(LIMITS.qr).toEqual({ timeoutMs: 5000, sizePx: 350 });
  });
  it('30 days for the token and for the language, 24 hours for a mailed link', () => {
    expect([LIMITS.sessionDays, LIMITS.languageCookieDays, LIMITS.emailLinkHours]).toEqual([30, 30, 24]);
  });
  it('1, 7, 31 and 93 days of orders', () => {
    expect(LIMITS.orderDateDays).toEqual({ day: 1, week: 7, month: 31, season: 93 });
  });
  it('covers of 500 px; crops of 256 to 4096 px at 3:4 over 100 %', () => {
    expect(LIMITS.coverWidthPx).toBe(500);
    expect(LIMITS.crop).toMatchObject({ leastPx: 64, minPx: 256, maxPx: 4096, ratio: [3, 4], areaPercent: 100 });
  });
  it('US dollars for PayPal, plan 1 the non-member', () => {
    expect(LIMITS.paypalCurrency).toBe('USD');
    expect(LIMITS.planIds.nonMember).toBe(1);
  });
  it('card route 1, token route 2, API version 2', () => {
    expect(LIMITS.payment).toEqual({ cardRouteCode: 1, tokenRouteCode: 2, providerApiVersion: 2 });
  });
  it('zh, en and ja in this order, en where a text is missing', () => {
    expect(LANGUAGES.map(({ code }) => code)).toEqual(['zh', 'en', 'ja']);
    expect(FALLBACK_LANGUAGE).toBe('en');
  });
  it('2024-10-15 to 2024-10-16 10:00 GMT+8 as the example of a maintenance window', () => {
    const { from, to } = LIMITS.maintenanceExample;
    expect(new Date(from).toISOString()).toBe('2024-10-14T16:00:00.000Z');
    expect(new Date(to).toISOString()).toBe('2024-10-16T02:00:00.000Z');
  });
  it('0 video and 1 picture; 0 processing, 1 finished, 2 unable, 3 deleted; 0 uploaded, 1 on-site, 2 purchased', () => {
    expect(MEDIA_TYPE).toEqual({ video: 0, picture: 1 });
    expect(MEDIA_STATUS).toEqual({ processing: 0, finished: 1, unable: 2, deleted: 3 });
    expect(ORDER_TYPE).toEqual({ uploaded: 0, onSite: 1, purchased: 2 });
  });
});
