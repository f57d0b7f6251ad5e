import type { FrameItem, FrameOptions, OwnFrame } from '@framelift/contract';

export const frameId = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const someOptions: FrameOptions = {
  mode: 'parallax',
  intervalSeconds: 30,
  shuffle: false,
  transition: 'fade',
  fit: 'fit',
  sound: false,
  clock: false,
  brightness: 1,
  strength: 1,
  sleep: null,
  timeZone: 'Asia/Taipei',
};

/** Returns a paired frame that has not reported yet. */
export const aFrame = (n: number, changes: Partial<OwnFrame> = {}): OwnFrame => ({
  id: frameId(n),
  name: `Frame ${n}`,
  kind: 'Chrome, Android',
  screen: { width: 1280, height: 800, pixelRatio: 1 },
  pairedAt: '2026-01-01T00:00:00Z',
  lastSeenAt: null,
  online: false,
  version: null,
  device_type_id: null,
  options: someOptions,
  hasCalibration: false,
  state: 'never',
  count: 0,
  waiting: 0,
  showing: null,
  problems: [],
  senders: 0,
  ...changes,
});

/** Returns a picture on a frame that has not been shown yet. */
export const anItem = (n: number, changes: Partial<FrameItem> = {}): FrameItem => ({
  id: frameId(100 + n),
  kind: 'media',
  media_id: frameId(200 + n),
  album_id: null,
  name: `Picture ${n}`,
  cover: null,
  sender: null,
  friend: null,
  state: 'ready',
  failure: null,
  fit: null,
  added_at: '2026-01-01T00:00:00Z',
  shown_at: null,
  quantity: null,
  ...changes,
});
