// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { showPage } from '../../testing/page.tsx';
import { VideoPlayer } from './VideoPlayer.tsx';

it('shows an animation by its content, whatever its name, on its ground and between bars [T11]', async () => {
  const gif = new File(['GIF89a\x01\0\x01\0'], 'party.mp4', { type: 'video/mp4' });
  await showPage(<VideoPlayer file={gif} ground="#204080" />);
  const shown = await screen.findByRole('img', { name: 'party.mp4' });
  for (const [side, pixels] of [
    ['naturalWidth', 300],
    ['naturalHeight', 200],
  ] as const)
    Object.defineProperty(shown, side, { value: pixels });
  fireEvent.load(shown);
  expect(shown.style.getPropertyValue('--ratio')).toBe('1.5');
  expect(shown.style.background).toContain('#204080');
  expect(shown.parentElement?.style.background).toBe('');
});

it('plays a video by its content, whatever its name', async () => {
  const video = new File(['\0\0\0\x18ftypmp42'], 'clip.gif', { type: 'image/gif' });
  await showPage(<VideoPlayer file={video} ground={null} />);
  expect((await screen.findByLabelText('clip.gif')).tagName).toBe('VIDEO');
});
