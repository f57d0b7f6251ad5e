import { expect, it } from 'vitest';
import { csvHead, csvLine } from './csv.ts';

it('quotes what needs it and keeps every character', () => {
  expect(csvLine(['a', 'b,c', 'say "hi"', 'two\nlines', '中文', null, 3, false])).toBe(
    'a,"b,c","say ""hi""","two\nlines",中文,,3,false\r\n',
  );
});

it('lets no cell begin as a formula, however it is hidden', () => {
  for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '\r=1', '\uff1d1', '\uff20x'])
    expect(csvLine([formula]).replace(/^"/, '')[0]).toBe("'");
  expect(csvLine([-5])).toBe('-5\r\n');
  expect(csvLine(['a=b'])).toBe('a=b\r\n');
});

it('says at its start that it is UTF-8', () => {
  expect(csvHead(['id', 'name'])).toBe('\uFEFFid,name\r\n');
});
