import { LANGUAGES } from '@framelift/contract';
import { describe, expect, it } from 'vitest';
import { renderEmail, TEMPLATES } from './email-templates.ts';

const link = 'https://frames.example/confirmation?code=x&email=y';
const all = TEMPLATES.flatMap((template) => LANGUAGES.map(({ code }) => [template, code] as const));

describe('email templates', () => {
  it.each(all)('%s in %s has a subject, the link once as text, and both forms', (template, language) => {
    // What the templates about money name.
    const values = { item: 'Prime', price: '$9.99', date: '1 May', method: 'PayPal', number: 'f1' };
    const email = renderEmail({ template, data: { name: 'Mia', link, values } }, language);
    expect(email.subject.length).toBeGreaterThan(2);
    expect(email.text.split(link)).toHaveLength(2);
    expect(email.text).toContain('Mia');
    expect(email.html).toContain(link.replace('&', '&#38;'));
    expect(`${email.subject}${email.text}${email.html}`).not.toMatch(/undefined|null|\{\{/);
  });

  it('are three different texts, not one', () => {
    for (const template of TEMPLATES) {
      const bodies = LANGUAGES.map(({ code }) => renderEmail({ template, data: { name: '', link } }, code).text);
      expect(new Set(bodies).size).toBe(LANGUAGES.length);
    }
  });

  it('show a name as text, never as markup', () => {
    const { html } = renderEmail({ template: 'confirmation', data: { name: '<b onclick="x">&', link } }, 'en');
    expect(html).not.toContain('<b ');
    expect(html).toContain('&#60;b onclick');
  });

  it('leave out a name that a mail program would turn into a link', () => {
    for (const name of ['win-money.example', 'https//x', 'a@b', 'x:y'])
      expect(renderEmail({ template: 'confirmation', data: { name, link } }, 'en').text).toMatch(/^Hello,\n/);
  });
});
