import { describe, expect, it } from 'vitest';
import { CURRENCIES, type Currency, currencyCode, formatMoney, fromDecimal, isChargeable, toDecimal } from './money.ts';

const codes = Object.keys(CURRENCIES) as Currency[];

describe('money', () => {
  it('is known in the same currencies to callers and to the table', () => {
    expect(currencyCode.options).toEqual(codes);
  });

  it.each([
    ['USD', 1200, '12.00'],
    ['USD', 1, '0.01'],
    ['USD', 99, '0.99'],
    ['USD', 123_456_789, '1234567.89'],
    ['TWD', 30_000, '300'],
    ['TWD', 100, '1'],
    ['JPY', 1500, '1500'],
    ['JPY', 1, '1'],
  ] as const)('%s: %d minor units are charged as %s, and come back unchanged', (currency, amount, decimal) => {
    expect(toDecimal(amount, currency)).toBe(decimal);
    expect(fromDecimal(decimal, currency)).toBe(amount);
  });

  it('that a provider writes with decimals that people do not see is the same amount', () => {
    expect(fromDecimal('300.00', 'TWD')).toBe(30_000);
    expect(fromDecimal('300', 'TWD')).toBe(30_000);
    expect(fromDecimal('12.5', 'USD')).toBe(1250);
    expect(fromDecimal('0.00', 'USD')).toBe(0);
  });

  it.each([
    ...[
      '1e3',
      '-1',
      '+1',
      '1.005',
      '1,000',
      ' 1',
      '1 ',
      '',
      '.5',
      '5.',
      '0x10',
      '01',
      '١٢',
      'NaN',
      'Infinity',
      '1.0.0',
    ],
    '9'.repeat(13),
  ])('is not guessed from %j', (text) => {
    for (const currency of codes) expect(fromDecimal(text, currency)).toBeNull();
  });

  it('has no more decimals than its currency', () => {
    expect(fromDecimal('1500.00', 'JPY')).toBeNull();
    expect(fromDecimal('1500.5', 'JPY')).toBeNull();
    expect(fromDecimal('12.345', 'USD')).toBeNull();
  });

  it.each([
    ['TWD', 30_050],
    ['TWD', 30_001],
    ['USD', 0],
    ['USD', -1200],
    ['USD', 12.5],
    ['JPY', Number.NaN],
    ['JPY', 2 ** 53],
  ] as const)('of %s %d cannot be charged, and is not rounded', (currency, amount) => {
    expect(isChargeable(amount, currency)).toBe(false);
    expect(() => toDecimal(amount, currency)).toThrow(RangeError);
  });

  it('keeps each amount from one to a million on the way to a provider and back', () => {
    for (const currency of codes) {
      for (let amount = 1; amount <= 1_000_000; amount += 97) {
        if (isChargeable(amount, currency)) expect(fromDecimal(toDecimal(amount, currency), currency)).toBe(amount);
      }
    }
  });

  it('is shown with the digits that people use, in their language', () => {
    const shown = (amount: number, currency: Currency) =>
      (['en', 'zh', 'ja'] as const).map((language) => formatMoney({ amount, currency }, language));
    expect(shown(1200, 'USD')).toEqual(['$12.00', 'US$12.00', '$12.00']);
    expect(shown(30_000, 'TWD')).toEqual(['NT$300', 'NT$300', 'NT$300']);
    expect(shown(1500, 'JPY')).toEqual(['¥1,500', '¥1,500', '￥1,500']);
    expect(formatMoney({ amount: 30_050, currency: 'TWD' }, 'en')).toBe('NT$300.5');
  });
});
