// @vitest-environment happy-dom
import { type MediaDetail, PLAIN_NOTES, type Video } from '@framelift/contract';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { i18next } from '../../i18n/index.ts';
import { showPage } from '../../testing/page.tsx';
import { VideoView } from './VideoView.tsx';

it('every note of a video is a sentence; that of a cut file names the seconds found and promised [W5]', async () => {
  await i18next.loadNamespaces('result');
  const media = { name: 'shop.mp4', cover: null } as MediaDetail;
  const cut = { code: 'filmCutShort', seconds: 3.808, promised: 10 } as const;
  const video = { preview: null, seconds: 3.8, notes: [...PLAIN_NOTES, cut] } as unknown as Video;
  await showPage(<VideoView media={media} video={video} />);
  const sentences = (await screen.findAllByRole('listitem')).map((item) => item.textContent);
  expect(sentences).toHaveLength(PLAIN_NOTES.length + 1);
  expect(sentences.every((sentence) => sentence?.endsWith('.'))).toBe(true);
  expect(sentences.at(-1)).toContain('3.8 of its 10 seconds');
});
