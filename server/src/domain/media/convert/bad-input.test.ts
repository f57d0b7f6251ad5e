import { readFile } from 'node:fs/promises';
import { type Client, LANGUAGES, type Language, type MediaDetail } from '@framelift/contract';
import {
  animation,
  blankPng,
  builtInProfile,
  colourAt,
  decoded,
  draw,
  drawingOnNothing,
  drawScene,
  encoder,
  withJpegProfile,
} from '@framelift/engine/testing/pictures';
import { sharedData } from '@framelift/engine/testing/shared-data';
import { errorText } from '@framelift/texts/node';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { media, objects } from '../../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { openTestDatabase } from '../../../testing/database.ts';
import { ended, put, refusal, requestFor, smallJpeg, storedKeys, upload } from '../../../testing/uploads.ts';

const languages = LANGUAGES.map(({ code }) => code);
const phoneHeic = sharedData('photos/phone.heic');
const avif = sharedData('photos/srgb_8bit.avif');

describe('pictures as they come', () => {
  let app: TestApp;
  let token: string;
  let userId: string;
  let client: Client;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    ({ token, userId } = await app.member());
    client = app.client({ token });
  });
  afterAll(() => app.close());
  const speaking = (language: Language) => app.client({ token, language });
  const scene = () => encoder(drawScene(480, 640));

  type Given = Parameters<typeof upload>[3];
  const badFiles: [title: string, code: string, bytes: () => Promise<Uint8Array> | Uint8Array, given?: Given][] = [
    ['text named .jpg', 'notAPicture', () => Buffer.from('This is no picture. '.repeat(100))],
    ['a page named .jpg', 'notAPicture', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['an SVG named .png', 'notAPicture', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['the first bytes of a JPEG', 'pictureDamaged', async () => (await smallJpeg()).subarray(0, 60)],
    ['a PNG of 30,000 x 30,000 pixels', 'pictureTooLarge', () => blankPng(30_000, 30_000)],
    ['a picture of 60 x 90 pixels', 'pictureTooSmall', () => smallJpeg(0, 60, 90)],
    [
      'a crop beyond the edge',
      'cropOutsidePicture',
      () => smallJpeg(),
      { crop: { x: 200, y: 0, width: 300, height: 400 } },
    ],
  ];
  test.each(badFiles)(
    '%s is refused as %s in three languages, and nothing of it stays [A23]',
    async (_title, code, bytes, given) => {
      for (const language of languages) {
        const file = await bytes();
        const own = speaking(language);
        const link = await own.call('requestUploadMedia', { input: await requestFor(own, file, given) });
        expect((await put(app, link, file)).status).toBe(204);
        const error = await refusal(own.call('setMediaS3UploadFinish', { input: { id: link.media_id } }));
        expect([error.code, error.message]).toEqual([code, errorText(code, language)]);
        const gone = await refusal(own.call('media', { params: { id: link.media_id } }));
        expect(gone.code).toBe('mediaNotFound');
      }
      expect(await app.context.db.$count(media, eq(media.ownerId, userId))).toBe(0);
      expect(await app.context.db.$count(objects, eq(objects.ownerId, userId))).toBe(0);
      expect(await storedKeys(app, '')).toEqual([]);
      expect((await fetch(`${app.url}/healthz`)).ok).toBe(true);
    },
  );

  const badRequests: [title: string, code: string, given: Given][] = [
    ['an empty file', 'fileEmpty', { originalDetails: { name: 'a.jpg', size: 0, type: 'image/jpeg' } }],
    ['an unknown device type', 'unknownDeviceType', { deviceType: 999_999 }],
    ['an unknown strength', 'unknownEffect', { effect_param_id: 999_999 }],
    ['a crop under 64 px', 'cropTooSmall', { crop: { x: 0, y: 0, width: 48, height: 64 } }],
  ];
  test.each(badRequests)('%s is refused as %s in three languages [A20]', async (_title, code, given) => {
    const sentences = new Set<string>();
    for (const language of languages) {
      const own = speaking(language);
      const input = await requestFor(own, await smallJpeg(), given);
      const error = await refusal(own.call('requestUploadMedia', { input }));
      expect([error.code, error.message]).toEqual([code, errorText(code, language)]);
      sentences.add(error.message);
    }
    expect(sentences.size).toBe(3);
  });

  /** Returns a picture with a sound header, of which no decoder shows a pixel. */
  const undecodable = async () => {
    const whole = await scene().avif().toBuffer();
    return whole.subarray(0, Math.round(whole.length * 0.6));
  };

  test('a picture that no decoder shows is unable to process with its reason, and others are converted [A15]', async () => {
    const whole = await smallJpeg(3);
    const damaged = await upload(app, client, await undecodable());
    const sound = await upload(app, client, whole);
    const failed = await ended(client, damaged.id);
    expect(failed).toMatchObject({ status: 2, preview: null, formats: [], timeLeft: null });
    for (const language of languages) {
      const { failure } = await speaking(language).call('media', { params: { id: damaged.id } });
      expect(failure).toEqual({ code: 'pictureDamaged', message: errorText('pictureDamaged', language) });
    }
    expect(await ended(client, sound.id)).toMatchObject({ status: 1, notes: [] });
    const links = refusal(client.call('getMediaLink', { input: { id: damaged.id } }));
    expect((await links).code).toBe('obj_havent_transformed_completed');
  });

  test('at strength 0 % a picture that no decoder shows is unable to process, too', async () => {
    const flat = await upload(app, client, await undecodable(), { effect_param_id: 0 });
    expect(flat).toMatchObject({ status: 2, failure: { code: 'pictureDamaged' } });
  });

  test('of a truncated JPEG the part that came is converted, and the member is told [W1][T19][A15]', async () => {
    const whole = await smallJpeg(4);
    const half = whole.subarray(0, whole.length * 0.7);
    const flat = await upload(app, client, half, { effect_param_id: 0 });
    expect(flat).toMatchObject({ status: 1, notes: ['pictureIncomplete'] });
    const deep = await upload(app, client, half);
    expect(await ended(client, deep.id)).toMatchObject({ status: 1, notes: ['pictureIncomplete'] });
    // Without an end marker alone, nothing is missing.
    const unended = await upload(app, client, whole.subarray(0, -2), { effect_param_id: 0 });
    expect(unended).toMatchObject({ status: 1, notes: [] });
  });

  test('a picture too small for its frame is enlarged, and the member is told [R-5.crop.1][T20]', async () => {
    const small = await smallJpeg(5, 512, 307);
    const deep = await upload(app, client, small);
    expect(deep.crop).toEqual({ x: 141, y: 0, width: 230, height: 307 });
    expect(await ended(client, deep.id)).toMatchObject({ status: 1, notes: ['pictureSmall'] });
    const crop = { x: 0, y: 0, width: 64, height: 85 };
    const flat = await upload(app, client, small, { effect_param_id: 0, crop });
    expect(flat).toMatchObject({ status: 1, crop, notes: ['pictureSmall'] });
  });

  test('of an animated GIF the first frame is converted, and the member is told [T11]', async () => {
    const gif = await animation([drawScene(480, 640), draw(480, 640, () => [9, 9, 200])])
      .gif()
      .toBuffer();
    const originalDetails = { name: 'shop.gif', size: gif.length, type: 'image/gif' };
    const picture = await upload(app, client, gif, { effect_param_id: 0, originalDetails });
    const source = { width: 480, height: 640 };
    expect(picture).toMatchObject({ name: 'shop.gif', status: 1, notes: ['firstFrame'], source });
  });

  test('a drawing on transparency can be seen, and a chosen ground stays through changes [W2]', async () => {
    const drawing = await drawingOnNothing(480, 640, [0, 0, 0]).png().toBuffer();
    /** Colours of the ground and of the drawing on the cover. */
    const colours = async ({ cover }: MediaDetail) => {
      const answer = await fetch(new URL(cover ?? '', app.url), { headers: { authorization: `Bearer ${token}` } });
      const picture = await decoded(Buffer.from(await answer.arrayBuffer()));
      return [colourAt(picture, 0.03, 0.03), colourAt(picture, 0.5, 0.5)].map((rgb) => rgb.map((value) => value > 127));
    };
    const originalDetails = { name: 'a.png', size: drawing.length, type: 'image/png' };
    const given = { effect_param_id: 0, originalDetails };
    const plain = await upload(app, client, drawing, given);
    expect(plain.ground).toBeNull();
    const [black, white, red] = [
      [false, false, false],
      [true, true, true],
      [true, false, false],
    ];
    expect(await colours(plain)).toEqual([white, black]);
    const chosen = await upload(app, client, drawing, { ...given, ground: '#ff0000' });
    expect(chosen.ground).toBe('#ff0000');
    const change = async (input: object) => {
      await client.call('changeMedia', { params: { id: chosen.id }, input });
      return ended(client, chosen.id);
    };
    const cropped = await change({ crop: { x: 90, y: 120, width: 300, height: 400 } });
    expect(cropped.ground).toBe('#ff0000');
    expect(await colours(cropped)).toEqual([red, black]);
    const again = await change({ ground: null });
    expect(again.ground).toBeNull();
    expect(await colours(again)).toEqual([white, black]);
    for (const ground of ['red', '#f00', '#ff00zz', 'url(x)'])
      expect((await refusal(client.call('changeMedia', { params: { id: chosen.id }, input: { ground } }))).code).toBe(
        'invalidInput',
      );
  });

  // Independent of the database.
  describe('every kind that people have', () => {
    const flat = async (bytes: Uint8Array, name: string): Promise<MediaDetail> => {
      const originalDetails = { name, size: bytes.length, type: '' };
      const picture = await upload(app, client, bytes, { effect_param_id: 0, originalDetails });
      expect(picture.status).toBe(1);
      const [link] = await client.call('getMediaLink', { input: { id: picture.id } });
      const file = await fetch(new URL(link?.url ?? '', app.url));
      expect(Buffer.from(await file.arrayBuffer()).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
      return picture;
    };
    const kinds: [title: string, name: string, bytes: () => Promise<Uint8Array>][] = [
      ['grey', 'a.jpg', () => scene().greyscale().jpeg().toBuffer()],
      ['CMYK', 'a.jpg', async () => scene().withIccProfile('cmyk').toColourspace('cmyk').jpeg().toBuffer()],
      ['16-bit', 'a.png', () => scene().toColourspace('rgb16').png().toBuffer()],
      ['with alpha', 'a.png', () => scene().ensureAlpha(0.5).png().toBuffer()],
      [
        'with a profile that does not fit',
        'a.jpg',
        async () => withJpegProfile(await scene().jpeg().toBuffer(), await builtInProfile('cmyk')),
      ],
      ['WebP', 'a.webp', () => scene().webp().toBuffer()],
    ];
    test.each(kinds)('%s', async (_title, name, bytes) => {
      expect((await flat(await bytes(), name)).source).toEqual({ width: 480, height: 640 });
    });
    test.skipIf(phoneHeic === null)("a phone's HEIC, also when it is called .jpg [A13][A16]", async () => {
      const bytes = await readFile(phoneHeic ?? '');
      const picture = await flat(bytes, 'IMG_0001.jpg');
      expect(picture.name).toBe('IMG_0001.heic');
      const [original] = await client.call('getMediaLink', { input: { id: picture.id, format: 'original' } });
      expect(original?.type).toBe('image/heic');
      const kept = await fetch(new URL(original?.url ?? '', app.url));
      expect(Buffer.from(await kept.arrayBuffer()).equals(bytes)).toBe(true);
    });
    test.skipIf(avif === null)('AVIF', async () => {
      expect((await flat(await readFile(avif ?? ''), 'a.avif')).name).toBe('a.avif');
    });
  });
});
