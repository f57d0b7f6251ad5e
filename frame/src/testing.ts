import type { FrameFile, FrameOptions, FramePlaylist, PlaylistItem } from '@framelift/contract';

/** Values of the contract for tests. */
export const OPTIONS: FrameOptions = {
  mode: 'flat',
  intervalSeconds: 10,
  shuffle: false,
  transition: 'none',
  fit: 'fit',
  sound: false,
  clock: false,
  brightness: 1,
  strength: 1,
  sleep: null,
  timeZone: 'Asia/Taipei',
};

export const fileOf = (name: string, layout: FrameFile['layout'] = 'whole'): FrameFile => ({
  sha256: name,
  size: 10,
  type: 'image/png',
  layout,
  url: `/files/${name}`,
});

export const itemOf = (id: string, more: Partial<PlaylistItem> = {}): PlaylistItem => ({
  id,
  mediaId: id,
  name: `Picture ${id}`,
  sender: null,
  kind: 'picture',
  width: 900,
  height: 1200,
  seconds: null,
  fit: null,
  effect: 100,
  convergence: null,
  budget: 4,
  quilt: null,
  files: { main: fileOf(id) },
  ...more,
});

export const playlistOf = (
  items: readonly PlaylistItem[],
  options: Partial<FrameOptions> = {},
  more: Partial<FramePlaylist> = {},
): FramePlaylist => ({
  version: JSON.stringify([items, options]),
  frame: { id: '0b8f3b5e-0000-4000-8000-000000000001', name: 'Living room', owner: 'Mia' },
  options: { ...OPTIONS, ...options },
  calibration: null,
  items: [...items],
  waiting: 0,
  expires_at: '2099-01-01T00:00:00.000Z',
  ...more,
});
