import { describe, expect, it } from 'vitest';
import {
  isUploading,
  startOfUpload,
  type Ticket,
  type UploadEvent,
  type UploadFlow,
  uploadFlow,
} from './upload-flow.ts';

const photo = new File(['jpeg'], 'photo.jpg', { type: 'image/jpeg' });
const other = new File(['jpeg'], 'other.jpg', { type: 'image/jpeg' });
const video = new File(['mp4'], 'video.mp4', { type: 'video/mp4' });
const area = { x: 10, y: 0, width: 50, height: 100 };
const source = { width: 4000, height: 3000 };
const ticket: Ticket = {
  mediaId: 'm1',
  parts: [
    { url: '/files/1.1', headers: {}, size: 3, arrived: true },
    { url: '/files/1.2', headers: {}, size: 1, arrived: false },
  ],
  expiresAt: '2030-01-01T00:00:00Z',
  arrived: false,
};
const failure = { title: null, message: 'It broke.', next: 'retry' } as const;

const after = (...events: UploadEvent[]): UploadFlow => events.reduce(uploadFlow, startOfUpload);
const choosing: UploadEvent = { type: 'choose', file: photo, kind: 'picture' };
const cropping: UploadEvent[] = [
  choosing,
  { type: 'shown', file: photo, url: 'blob:1', source, ground: null },
  { type: 'area', area },
];
/** Id of the attempt that `start` begins after `cropping`. */
const attempt = 1;

describe('choosing and cropping', () => {
  it('[R-4.upload-steps.1] begins with nothing chosen', () => {
    expect(startOfUpload).toMatchObject({ step: 0, chosen: null });
  });

  it('[R-4.upload-steps.2] [R-4.upload-steps.4] moves forward to cropping when a file is chosen', () => {
    expect(after(choosing)).toMatchObject({ step: 1, chosen: { file: photo, shown: { state: 'loading' } } });
  });

  it('[R-4.upload-steps.10] is ready to crop once the picture can be shown', () => {
    expect(after(...cropping)).toMatchObject({ chosen: { shown: { state: 'ready', source } }, area });
  });

  it('measures the crop anew when another eye is shown, which is not turned', () => {
    const turned = after(...cropping, { type: 'edit', edit: { turn: 90, mirror: false, tilt: 0, border: null } });
    expect(uploadFlow(turned, { type: 'pair', pair: 'rightLeft' })).toMatchObject({
      pair: 'rightLeft',
      area: null,
      edit: { turn: 0 },
    });
  });

  it('[R-4.upload-steps.9] switches to video when one is chosen, of which a still is cropped', () => {
    expect(after({ type: 'choose', file: video, kind: 'video' })).toMatchObject({
      step: 1,
      chosen: { kind: 'video', shown: { state: 'loading' } },
    });
  });

  it('[R-4.upload-steps.3] goes on from the crop to the video itself, and back down to the crop', () => {
    const still = [
      { type: 'choose', file: video, kind: 'video' },
      { type: 'shown', file: video, url: 'blob:1', source, ground: null },
      { type: 'area', area },
      { type: 'next' },
    ] as const;
    const flow = after(...still);
    expect(flow).toMatchObject({ step: 2, chosen: { kind: 'video' }, area });
    expect(uploadFlow(flow, { type: 'back' })).toMatchObject({ step: 1, chosen: { file: video }, area });
    expect(uploadFlow(flow, { type: 'cancel' })).toMatchObject({ closed: true });
    const sending = uploadFlow(flow, { type: 'start' });
    expect(uploadFlow(sending, { type: 'cancel' })).toMatchObject({ asked: true, closed: false });
    // A picture has no such step.
    expect(after(...cropping, { type: 'next' }).step).toBe(1);
  });

  it('[R-4.upload-steps.5] goes back to nothing chosen', () => {
    expect(after(...cropping, { type: 'back' })).toMatchObject({ step: 0, chosen: null, area: null });
  });

  it('[R-4.upload-steps.11] replaces the earlier file and its crop when another is chosen', () => {
    const flow = after(...cropping, { type: 'choose', file: other, kind: 'picture' });
    expect(flow).toMatchObject({ step: 1, chosen: { file: other, shown: { state: 'loading' } }, area: null });
  });

  it('goes back to nothing chosen when the file cannot be read, unless another was chosen since', () => {
    expect(after(choosing, { type: 'unreadable', file: photo })).toMatchObject({ step: 0, chosen: null });
    expect(after(choosing, { type: 'unreadable', file: other })).toMatchObject({ step: 1, chosen: { file: photo } });
  });

  it('ignores a decoder that answers for a file replaced meanwhile', () => {
    const flow = after(
      choosing,
      { type: 'choose', file: other, kind: 'picture' },
      { type: 'shown', file: photo, url: 'blob:1', source, ground: null },
      { type: 'unshowable', file: photo },
    );
    expect(flow.chosen).toMatchObject({ file: other, shown: { state: 'loading' } });
  });
});

describe('cancelling', () => {
  it('[R-4.upload-steps.7] closes at once where nothing is chosen', () => {
    expect(after({ type: 'cancel' })).toMatchObject({ closed: true, asked: false });
  });

  it('[R-4.upload-steps.6] asks at step 1 and keeps everything when the answer is to stay', () => {
    const asked = after(...cropping, { type: 'cancel' });
    expect(asked).toMatchObject({ asked: true, closed: false });
    expect(uploadFlow(asked, { type: 'stay' })).toMatchObject({ asked: false, closed: false, step: 1, area });
  });

  it('[R-4.upload-steps.6] closes at step 1 when the answer is to leave', () => {
    expect(after(...cropping, { type: 'cancel' }, { type: 'leave' })).toMatchObject({ closed: true });
  });

  it('[R-4.upload-steps.8] starts from nothing when it is opened again', () => {
    const flow = after(...cropping, { type: 'cancel' }, { type: 'leave' }, { type: 'open' });
    expect(flow).toMatchObject({ ...startOfUpload, attempt: flow.attempt });
  });
});

describe('uploading', () => {
  const sending: UploadEvent[] = [...cropping, { type: 'start' }, { type: 'ticket', attempt, ticket }];

  it('goes through asking, sending, checking to done', () => {
    expect(after(...cropping, { type: 'start' }).sending).toEqual({ phase: 'asking' });
    expect(after(...sending).sending).toEqual({ phase: 'sending', sent: 3, total: photo.size, waiting: false });
    const waiting = after(...sending, { type: 'waiting', attempt });
    expect(waiting.sending).toMatchObject({ sent: 3, waiting: true });
    expect(uploadFlow(waiting, { type: 'progress', attempt, sent: 4, total: 4 }).sending).toMatchObject({
      waiting: false,
    });
    expect(after(...sending, { type: 'progress', attempt, sent: 2, total: 4 }).sending).toMatchObject({ sent: 2 });
    expect(after(...sending, { type: 'arrived', attempt })).toMatchObject({
      sending: { phase: 'checking' },
      ticket: { arrived: true },
    });
    expect(after(...sending, { type: 'arrived', attempt }, { type: 'done', attempt, mediaId: 'm1' }).sending).toEqual({
      phase: 'done',
      mediaId: 'm1',
    });
  });

  it('starts nothing without a file', () => {
    expect(after({ type: 'start' })).toBe(startOfUpload);
  });

  it('asks before it is left, and goes on meanwhile', () => {
    const asked = after(...sending, { type: 'cancel' });
    expect(asked).toMatchObject({ asked: true, closed: false, sending: { phase: 'sending' } });
    expect(isUploading(asked)).toBe(true);
  });

  it('locks the form', () => {
    const flow = after(...sending);
    for (const event of [
      { type: 'back' },
      { type: 'area', area: { ...area, x: 0 } },
      { type: 'formChanged' },
      choosing,
    ] as const)
      expect(uploadFlow(flow, event)).toBe(flow);
  });

  it('keeps the form when it is aborted, and hears no more of the stopped try', () => {
    const aborted = after(...sending, { type: 'abort' });
    expect(aborted).toMatchObject({ step: 1, area, sending: { phase: 'idle' } });
    expect(uploadFlow(aborted, { type: 'progress', attempt, sent: 3, total: 4 })).toBe(aborted);
    const again = uploadFlow(aborted, { type: 'start' });
    expect(again.sending).toEqual({ phase: 'asking' });
    expect(uploadFlow(again, { type: 'done', attempt, mediaId: 'm1' })).toBe(again);
  });

  it('keeps form and link after a failure, so that a second try sends the file alone', () => {
    const failed = after(...sending, { type: 'failed', attempt, failure, ticket });
    expect(failed).toMatchObject({ step: 1, area, ticket, sending: { phase: 'failed', failure } });
    expect(uploadFlow(failed, { type: 'start' })).toMatchObject({ ticket, sending: { phase: 'asking' }, attempt: 2 });
  });

  it('drops the link when the form is changed after a failure', () => {
    const failed = after(...sending, { type: 'failed', attempt, failure, ticket });
    expect(uploadFlow(failed, { type: 'area', area: { ...area, x: 20 } })).toMatchObject({ ticket: null });
    expect(uploadFlow(failed, { type: 'formChanged' })).toMatchObject({ ticket: null, sending: { phase: 'idle' } });
  });

  it('keeps a chosen ground, which is a change of the form, until another file is chosen [W2]', () => {
    const failed = after(...sending, { type: 'failed', attempt, failure, ticket });
    const black = uploadFlow(failed, { type: 'ground', ground: '#000000' });
    expect(black).toMatchObject({ ground: '#000000', ticket: null });
    expect(uploadFlow(black, { type: 'choose', file: other, kind: 'picture' }).ground).toBeNull();
  });

  it('does not take a cropper that only measured itself again for a change', () => {
    const failed = after(...sending, { type: 'failed', attempt, failure, ticket });
    expect(uploadFlow(failed, { type: 'area', area: { ...area, x: area.x + 0.001 } })).toBe(failed);
  });

  it('[R-4.upload-steps.12] can only be closed once it is done', () => {
    const done = after(...sending, { type: 'arrived', attempt }, { type: 'done', attempt, mediaId: 'm1' });
    expect(uploadFlow(done, { type: 'back' })).toBe(done);
    expect(uploadFlow(done, { type: 'leave' })).toMatchObject({ closed: true });
  });
});
