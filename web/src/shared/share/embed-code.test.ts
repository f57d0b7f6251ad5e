// @vitest-environment happy-dom
import type { Share } from '@framelift/contract';
import { expect, it } from 'vitest';
import { embedCode } from './embed-code.ts';

it('shows the picture in its ratio, and its name as text, whatever it contains', () => {
  const name = `"><script>alert(1)</script> & Tom's.jpg`;
  const embed = 'https://example.org/embed/abc';
  const page = document.createElement('div');
  page.innerHTML = embedCode({ name, embed, size: { width: 300, height: 400 } } as Share);
  expect([...page.querySelectorAll('*')].map(({ tagName }) => tagName)).toEqual(['IFRAME']);
  const frame = page.querySelector('iframe');
  expect(frame?.getAttribute('src')).toBe(embed);
  expect(frame?.title).toBe(name.replace('.jpg', ''));
  expect(frame?.getAttribute('style')).toContain('aspect-ratio:300/400');
});
