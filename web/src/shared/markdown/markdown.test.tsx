// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, describe, expect, it } from 'vitest';
import { headingsOf, Markdown } from './Markdown.tsx';

afterEach(cleanup);
const show = (text: string, anchors?: string) => {
  const { container } = render(
    <MemoryRouter>
      <Markdown text={text} {...(anchors && { anchors })} order={2} />
    </MemoryRouter>,
  );
  return container;
};

describe('the text of operators', () => {
  it('has headings, paragraphs, lists, emphasis and links', () => {
    const text = show(
      '# Rules\n\nBe **kind**, *always*.\n\n- one\n- two\n\n1. first\n\n### Details\n\n> said\n\n`x`',
      'terms',
    );
    expect(text.querySelector('h2')?.id).toBe('terms-1');
    expect(text.querySelector('h3')?.textContent).toBe('Details');
    expect([...text.querySelectorAll('li')].map((item) => item.textContent)).toEqual(['one', 'two', 'first']);
    for (const name of ['strong', 'em', 'ol', 'blockquote', 'code'])
      expect(text.querySelector(name), name).not.toBeNull();
    const links = show('[here](/plan) [there](https://example.com/a?b=c) [mail](mailto:me@example.com)');
    expect([...links.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
      '/plan',
      'https://example.com/a?b=c',
      'mailto:me@example.com',
    ]);
  });

  it('has a table of contents of its uppermost headings, with the ids that they have', () => {
    const text = '# One\n\na\n\n### Deep\n\n## *Two* & more';
    const headings = headingsOf(text, 'terms');
    expect(headings).toEqual([
      { id: 'terms-1', title: 'One' },
      { id: 'terms-2', title: 'Two & more' },
    ]);
    const shown = show(text, 'terms');
    for (const { id, title } of headings) expect(shown.querySelector(`#${id}`)?.textContent).toBe(title);
  });

  it.each([
    '<script>window.hacked = true</script>',
    'a <img src=x onerror="window.hacked = true"> b',
    '<svg/onload=alert(1)>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<a href="javascript:alert(1)">x</a>',
    '- <b onclick=alert(1)>x</b>',
    '> <details open ontoggle=alert(1)>',
    '![x](javascript:alert(1))',
    '![x](https://example.com/pixel.gif "spy")',
    '<style>*{display:none}</style>',
  ])('is never HTML, and loads nothing: %s', (text) => {
    const shown = show(text);
    const names = [...shown.querySelectorAll('*')].map(({ tagName }) => tagName.toLowerCase());
    expect(names.filter((name) => !['div', 'p', 'ul', 'li', 'blockquote'].includes(name))).toEqual([]);
    expect([...shown.querySelectorAll('*')].flatMap((one) => one.getAttributeNames())).not.toContain('onclick');
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java&#115;cript:alert(1)',
    'javascript&colon;alert(1)',
    '&#x6A;avascript:alert(1)',
    '<java\tscript:alert(1)>',
    '\\javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    '//evil.example.com',
    '/\\evil.example.com',
    '</\t/evil.example.com>',
    '\\\\evil.example.com',
    'plan',
  ])('has no link that runs code or leads to another site unseen: %s', (href) => {
    for (const text of [`[x](${href})`, `<${href}>`, `[x]\n\n[x]: ${href}`])
      expect([...show(text).querySelectorAll('a')].map((link) => link.outerHTML)).toEqual([]);
  });
});
