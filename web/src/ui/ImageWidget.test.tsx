// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { showPage } from '../testing/page.tsx';
import { hoverPath, ImageWidget, isOwnSvg } from './ImageWidget.tsx';

/** Simulates hovering by mouse or finger. */
const enter = (element: Element) => fireEvent(element, new Event('pointerenter'));
const leave = (element: Element) => fireEvent(element, new Event('pointerleave'));
const place = (container: Element) => container.querySelector<HTMLElement>('[data-state]') as HTMLElement;
const images = (container: Element) => [...container.querySelectorAll('img')];
const shownSources = (container: Element) =>
  images(container)
    .filter(({ hidden }) => !hidden)
    .map((image) => image.getAttribute('src'));

describe('the path of the hover picture', () => {
  it.each([
    ['icon.svg', 'icon_1.svg'],
    ['/icons/home.png', '/icons/home_1.png'],
    ['/a.b/store.icon.webp?v=2#x', '/a.b/store.icon_1.webp?v=2#x'],
    ['/a.b/icon', '/a.b/icon_1'],
  ])('of %s is %s: `_1` comes before the extension [R-2.image-widget.3]', (src, expected) => {
    expect(hoverPath(src)).toBe(expected);
  });

  it('only our own SVGs may become part of the page', () => {
    expect(isOwnSvg('/icons/a.svg?v=1')).toBe(true);
    expect(isOwnSvg('/icons/a.png')).toBe(false);
    expect(isOwnSvg('https://elsewhere.example/a.svg')).toBe(false);
    expect(isOwnSvg('data:image/svg+xml,<svg/>')).toBe(false);
  });
});

describe('the image widget', () => {
  it('shows a picture from a path, with its alternative text [R-2.image-widget.1]', async () => {
    const { container } = await showPage(<ImageWidget src="/icons/store.png" alt="Store" />);
    expect(screen.getByRole('img', { name: 'Store' }).getAttribute('src')).toBe('/icons/store.png');
    expect(place(container).dataset['state']).toBe('normal');
    // The hover picture is not loaded before it is needed.
    expect(images(container)).toHaveLength(1);
  });

  it('fetches an SVG of ours with GET, and reads it as text [R-7.misc.3]', async () => {
    const answer = new Response('<svg><path d="M0 0h9"/></svg>');
    const read = vi.spyOn(answer, 'text');
    const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(answer);
    await showPage(<ImageWidget src="/icons/sun.svg" alt="Sun" />);
    await waitFor(() => expect(read).toHaveBeenCalledOnce());
    const [url, { method = 'GET' } = {}] = fetched.mock.calls.find(([address]) => address === '/icons/sun.svg') ?? [];
    expect([url, method]).toEqual(['/icons/sun.svg', 'GET']);
    fetched.mockRestore();
  });

  it('swaps under a pointer or a finger, and back [R-2.image-widget.2] [R-4.image-widget.1] [R-2.image-widget.3]', async () => {
    const { container } = await showPage(<ImageWidget src="/icons/store.png" alt="Store" />);
    enter(place(container));
    expect(place(container).dataset['state']).toBe('normal');
    fireEvent.load(images(container)[1] as Element);
    expect(place(container).dataset['state']).toBe('hover');
    expect(shownSources(container)).toEqual(['/icons/store_1.png']);
    expect(screen.getAllByRole('img', { name: 'Store' })).toHaveLength(1);
    leave(place(container));
    expect(place(container).dataset['state']).toBe('normal');
    expect(shownSources(container)).toEqual(['/icons/store.png']);
  });

  it('swaps with the focus and the hover of the button around it, to the picture that is named', async () => {
    const { container } = await showPage(
      <button type="button">
        <ImageWidget src="/icons/store.png" hoverSrc="/icons/open.png" alt="" />
        Store
      </button>,
    );
    const button = screen.getByRole('button', { name: 'Store' });
    fireEvent.focusIn(button);
    fireEvent.load(images(container)[1] as Element);
    expect(shownSources(container)).toEqual(['/icons/open.png']);
    fireEvent.focusOut(button);
    expect(shownSources(container)).toEqual(['/icons/store.png']);
    enter(button);
    expect(place(container).dataset['state']).toBe('hover');
  });

  it('does not swap where there is no hover picture', async () => {
    const { container } = await showPage(<ImageWidget src="/icons/store.png" alt="Store" />);
    enter(place(container));
    fireEvent.error(images(container)[1] as Element);
    expect(place(container).dataset['state']).toBe('normal');
    expect(shownSources(container)).toEqual(['/icons/store.png']);
    leave(place(container));
    enter(place(container));
    expect(images(container)).toHaveLength(1);
  });

  it('keeps the place and the name of a picture that cannot be had', async () => {
    const { container } = await showPage(<ImageWidget src="/icons/lost.png" alt="Store" />);
    fireEvent.error(images(container)[0] as Element);
    expect(images(container)).toHaveLength(0);
    expect(screen.getByRole('img', { name: 'Store' })).toBeTruthy();
  });
});
