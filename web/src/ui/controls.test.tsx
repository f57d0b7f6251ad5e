// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { showPage } from '../testing/page.tsx';
import { Dropdown } from './Dropdown.tsx';
import { LanguageChooser } from './LanguageChooser.tsx';
import { ProgressBar } from './ProgressBar.tsx';

it('[R-2.feedback.2] a progress bar shows 1 to 99 and is hidden at 0 and at 100', async () => {
  await showPage(
    [-1, 0, 1, 50, 99, 100, 120].map((value) => <ProgressBar key={value} value={value} label={`at ${value}`} />),
  );
  const names = screen.getAllByRole('progressbar').map((bar) => bar.getAttribute('aria-label'));
  expect(names).toEqual(['at 1', 'at 50', 'at 99']);
});

it('a menu opens by keyboard, moves the focus by arrows and gives it back', async () => {
  const chosen = vi.fn();
  await showPage(
    <Dropdown
      label="Menu"
      items={[
        { key: 'a', label: 'First', onSelect: () => chosen('a') },
        { key: 'b', label: 'Second', onSelect: () => chosen('b') },
      ]}
    >
      {() => 'face'}
    </Dropdown>,
  );
  const button = screen.getByRole('button', { name: 'Menu face' });
  button.focus();
  fireEvent.keyDown(button, { key: 'ArrowDown' });
  const focused = () => document.activeElement?.textContent;
  expect(focused()).toBe('First');
  fireEvent.keyDown(document.activeElement as Element, { key: 'ArrowUp' });
  expect(focused()).toBe('Second');
  fireEvent.keyDown(document.activeElement as Element, { key: 'Home' });
  expect(focused()).toBe('First');
  fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' });
  expect(screen.queryByRole('menu')).toBeNull();
  expect(document.activeElement).toBe(button);
  fireEvent.click(button);
  fireEvent.click(screen.getByRole('menuitem', { name: 'Second' }));
  expect(chosen.mock.calls).toEqual([['b']]);
  expect(document.activeElement).toBe(button);
});

it('[R-2.lang-chooser.1] [R-2.lang-chooser.2] [R-9.ui.2] the language chooser is 65 px wide, and 150 px while open', async () => {
  const { container } = await showPage(<LanguageChooser />);
  const widths = container.querySelector<HTMLElement>('[style*="--collapsed"]')?.style;
  expect(widths?.getPropertyValue('--collapsed')).toBe('65px');
  expect(widths?.getPropertyValue('--expanded')).toBe('150px');
});

it('[R-2.lang-chooser.4] [R-2.lang-chooser.5] its button flips it and a click outside closes it', async () => {
  await showPage(<LanguageChooser />);
  const button = screen.getByRole('button', { name: /^Choose language/ });
  fireEvent.click(button);
  expect(button.getAttribute('aria-expanded')).toBe('true');
  fireEvent.click(button);
  expect(button.getAttribute('aria-expanded')).toBe('false');
  fireEvent.click(button);
  fireEvent.pointerDown(document.body);
  expect(button.getAttribute('aria-expanded')).toBe('false');
});

it('[R-3.language.1] [R-9.languages.1] [R-2.lang-chooser.3] [R-2.lang-chooser.6] [R-4.lang-change.1] a choice changes the page, is kept, and closes it', async () => {
  await showPage(<LanguageChooser />);
  fireEvent.click(screen.getByRole('button', { name: /^Choose language/ }));
  const offered = screen.getAllByRole('menuitemradio');
  expect(offered.map(({ textContent }) => textContent)).toEqual(['繁體中文', 'English', '日本語']);
  expect(offered.filter((entry) => entry.getAttribute('aria-checked') === 'true').map(({ lang }) => lang)).toEqual([
    'en',
  ]);
  fireEvent.click(screen.getByRole('menuitemradio', { name: '日本語' }));
  const button = await screen.findByRole('button', { name: /^言語を選ぶ/ });
  expect(button.getAttribute('aria-expanded')).toBe('false');
  await waitFor(() => expect(document.documentElement.lang).toBe('ja'));
  expect(document.cookie).toContain('lang=ja');
});
