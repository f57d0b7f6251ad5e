import { readFile } from 'node:fs/promises';
import { type Client, LANGUAGES, type Language, type MediaDetail } from '@framelift/contract';
import { blankPng, builtInProfile, drawScene, encoder, withJpegProfile } from '@framelift/engine/testing/pictures';
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
    ['a picture of 249 x 324 pixels', 'pictureTooSmall', () => smallJpeg(0, 249, 324)],
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
    ['a crop under 256 px', 'cropTooSmall', { crop: { x: 0, y: 0, width: 192, height: 256 } }],
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

  test('a truncated JPEG is shown as unable to process with its reason, and others are converted [A15]', async () => {
    const whole = await smallJpeg(3);
    const damaged = await upload(app, client, whole.subarray(0, whole.length / 2));
    const sound = await upload(app, client, whole);
    const failed = await ended(client, damaged.id);
    expect(failed).toMatchObject({ status: 2, preview: null, formats: [], timeLeft: null });
    for (const language of languages) {
      const { failure } = await speaking(language).call('media', { params: { id: damaged.id } });
      expect(failure).toEqual({ code: 'pictureDamaged', message: errorText('pictureDamaged', language) });
    }
    expect((await ended(client, sound.id)).status).toBe(1);
    const links = refusal(client.call('getMediaLink', { input: { id: damaged.id } }));
    expect((await links).code).toBe('obj_havent_transformed_completed');
  });

  test('at strength 0 % a truncated JPEG is refused at once', async () => {
    const whole = await smallJpeg(4);
    const half = whole.subarray(0, whole.length / 2);
    const error = await refusal(upload(app, client, half, { effect_param_id: 0 }));
    expect(error.code).toBe('pictureDamaged');
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
