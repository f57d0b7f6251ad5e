import { LANGUAGES } from '@framelift/contract';
import { describe, expect, it } from 'vitest';
import { renderLetter, TEMPLATES } from './email-templates.ts';

const link = 'https://frames.example/confirmation?code=x&email=y';
const all = TEMPLATES.flatMap((template) => LANGUAGES.map(({ code }) => [template, code] as const));

describe('letters', () => {
  it.each(all)('%s in %s has a subject, the link once as text, and both forms', (template, language) => {
    const letter = renderLetter({ template, data: { name: 'Mia', link } }, language);
    expect(letter.subject.length).toBeGreaterThan(2);
    expect(letter.text.split(link)).toHaveLength(2);
    expect(letter.text).toContain('Mia');
    expect(letter.html).toContain(link.replace('&', '&#38;'));
    expect(`${letter.subject}${letter.text}${letter.html}`).not.toMatch(/undefined|null|\{\{/);
  });

  it('are three different texts, not one', () => {
    for (const template of TEMPLATES) {
      const bodies = LANGUAGES.map(({ code }) => renderLetter({ template, data: { name: '', link } }, code).text);
      expect(new Set(bodies).size).toBe(LANGUAGES.length);
    }
  });

  it('show a name as text, never as markup', () => {
    const { html } = renderLetter({ template: 'confirmation', data: { name: '<b onclick="x">&', link } }, 'en');
    expect(html).not.toContain('<b ');
    expect(html).toContain('&#60;b onclick');
  });

  it('leave out a name that a mail program would turn into a link', () => {
    for (const name of ['win-money.example', 'https//x', 'a@b', 'x:y'])
      expect(renderLetter({ template: 'confirmation', data: { name, link } }, 'en').text).toMatch(/^Hello,\n/);
  });
});
