// @vitest-environment happy-dom
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { api, createClient } from '@framelift/contract';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorText } from '../../i18n/error-text.ts';
import { i18next, startTexts } from '../../i18n/index.ts';
import { sendMedia, type UploadOrder } from './send-media.ts';
import type { Ticket, UploadEvent } from './upload-flow.ts';

const ID = '7f1d1c1e-5f5e-4c55-9f0a-0d6f3a1b2c3d';
const file = new File(['0123456789'], '小白菜.jpeg', { type: 'image/jpeg' });

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;
const json =
  (status: number, body: unknown): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
const ok = (message: unknown) => json(200, { success: true, message });
const refused = (status: number, code: string, message: string) =>
  json(status, { success: false, code, message, errors: [] });

/** Sets the page's origin to the server's, as in the app. */
const visit = (url: string) => (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(url);

/** A real HTTP server that responds to each path as the test defines, and records the requests. */
let server: Server;
const part = (number: number, size: number, arrived = false) => ({
  url: `${base}/files/${number}`,
  headers: { 'content-type': 'image/jpeg' },
  size,
  arrived,
});
let base: string;
let answers: Record<string, Answer>;
let asked: { method: string; path: string; body: string }[];

beforeAll(async () => {
  // biome-ignore lint/suspicious/noDocumentCookie: the app reads it there.
  document.cookie = 'lang=en; path=/';
  await startTexts();
  await i18next.loadNamespaces('errors');
});
beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const path = request.url ?? '';
      asked.push({ method: request.method ?? '', path, body });
      answers[path]?.(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  visit(base);
  answers = {
    '/api/requestUploadMedia': ok({
      media_id: ID,
      original: `${base}/files/1`,
      cover: null,
      obj: null,
      headers: { 'content-type': 'image/jpeg' },
      parts: [part(1, 10)],
      expires_at: '2999-01-01T00:00:00Z',
    }),
    '/files/1': (_request, response) => response.writeHead(200).end(),
    '/api/setMediaS3UploadFinish': ok({}),
  };
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const order = (changes: Partial<UploadOrder> = {}): UploadOrder => ({
  file,
  kind: 'picture',
  deviceTypeId: 1,
  effectId: 6,
  crop: { x: 10, y: 20, width: 300, height: 400 },
  ground: null,
  ticket: null,
  ...changes,
});

/** Without patience, so that a failure is told at once. */
async function send(changes: Partial<UploadOrder> = {}, signal = new AbortController().signal) {
  const told: UploadEvent[] = [];
  const client = createClient({ base: `${base}/api` });
  await sendMedia(client.call, order(changes), {
    attempt: 1,
    signal,
    patienceMs: 0,
    tell: (event) => told.push(event),
  });
  const failed = told.find((event) => event.type === 'failed');
  return { told, types: told.map(({ type }) => type).filter((type) => type !== 'progress'), failed };
}
const paths = () => asked.map(({ path }) => path);
const bodyOf = (path: string) => JSON.parse(asked.find((one) => one.path === path && one.body)?.body ?? '{}');

describe('one upload', () => {
  it('[R-4.media-upload.1] asks for a link, PUTs the file, says that it arrived', async () => {
    const { types } = await send();
    expect(types).toEqual(['ticket', 'arrived', 'done']);
    expect(paths()).toEqual(['/api/requestUploadMedia', '/files/1', '/api/setMediaS3UploadFinish']);
    expect(asked.find(({ method }) => method === 'PUT')).toMatchObject({ path: '/files/1', body: '0123456789' });
  });

  it('asks with the name, size, crop and choices of the dialog, in the shape of the contract', async () => {
    await send();
    const body = bodyOf('/api/requestUploadMedia');
    expect(api.requestUploadMedia.input.parse(body)).toMatchObject({
      originalDetails: { name: '小白菜.jpeg', size: 10, type: 'image/jpeg' },
      deviceType: 1,
      media_type: 1,
      effect_param_id: 6,
      crop: { x: 10, y: 20, width: 300, height: 400 },
    });
    expect(body.id).toBeUndefined();
    expect(body.ground).toBeUndefined();
  });

  it('sends what the member says of a picture of both eyes, and nothing where the server finds out', async () => {
    await send({ pair: 'rightLeft' });
    expect(api.requestUploadMedia.input.parse(bodyOf('/api/requestUploadMedia'))).toMatchObject({ pair: 'rightLeft' });
    asked.length = 0;
    await send({ pair: null });
    expect(bodyOf('/api/requestUploadMedia').pair).toBeUndefined();
  });

  it('sends the ground of a picture with transparent parts [W2]', async () => {
    await send({ ground: '#000000' });
    expect(bodyOf('/api/requestUploadMedia').ground).toBe('#000000');
  });

  it('[R-4.media-upload.2] [R-4.media-upload.3] finishes with status 1 for effect 0, else 0', async () => {
    await send({ effectId: 0 });
    expect(bodyOf('/api/setMediaS3UploadFinish')).toEqual({ id: ID, status: 1 });
    asked = [];
    await send();
    expect(bodyOf('/api/setMediaS3UploadFinish')).toEqual({ id: ID, status: 0 });
  });

  it('leaves the crop out where the server shall centre it', async () => {
    await send({ crop: null });
    expect(bodyOf('/api/requestUploadMedia').crop).toBeUndefined();
  });
});

describe('a failed upload', () => {
  const ticket: Ticket = { mediaId: ID, parts: [], expiresAt: '2999-01-01T00:00:00Z', arrived: false };

  it("tells the server's sentence when no link was given", async () => {
    answers['/api/requestUploadMedia'] = refused(403, 'guestUploadLimit', 'A guest may keep 10 pictures.');
    const { failed } = await send();
    expect(failed).toMatchObject({ failure: { message: 'A guest may keep 10 pictures.', next: 'none' }, ticket: null });
  });

  it("says 'File upload failed.' when the PUT is refused, and asks for a new link of the same media next time", async () => {
    answers['/files/1'] = (_request, response) => response.writeHead(403).end('<Error/>');
    const { failed } = await send();
    expect(failed).toMatchObject({ failure: { message: 'File upload failed.', next: 'retry' } });
    asked = [];
    await send({ ticket: failed?.ticket ?? null });
    expect(bodyOf('/api/requestUploadMedia').id).toBe(ID);
  });

  it("adds the store's own reason where it tells one", async () => {
    answers['/files/1'] = refused(415, 'uploadTypeMismatch', 'The file is of another kind than announced.');
    const { failed } = await send();
    expect(failed?.failure).toEqual({
      title: 'File upload failed.',
      message: 'The file is of another kind than announced.',
      next: 'choose',
    });
  });

  it("says 'Error uploading file' when the PUT breaks off, and sends to the same link again", async () => {
    answers['/files/1'] = (request) => request.socket.destroy();
    const { failed } = await send();
    expect(failed?.failure).toEqual({ title: null, message: 'Error uploading file', next: 'retry' });
    answers['/files/1'] = (_request, response) => response.writeHead(200).end();
    asked = [];
    const { types } = await send({ ticket: failed?.ticket ?? null });
    expect(types).toEqual(['ticket', 'arrived', 'done']);
    expect(paths()).toEqual(['/files/1', '/api/setMediaS3UploadFinish']);
  });

  it("says 'Status changing failed' with the reason when the finish is refused", async () => {
    answers['/api/setMediaS3UploadFinish'] = refused(422, 'pictureDamaged', 'This picture is damaged.');
    const { failed } = await send();
    expect(failed).toMatchObject({
      failure: { title: 'Status changing failed', message: 'This picture is damaged.', next: 'choose' },
      ticket: null,
    });
  });

  it('does not send a file again that has arrived', async () => {
    answers['/api/setMediaS3UploadFinish'] = refused(503, 'systemBusy', 'The system is busy.');
    const { failed } = await send();
    expect(failed).toMatchObject({ ticket: { arrived: true }, failure: { next: 'retry' } });
    answers['/api/setMediaS3UploadFinish'] = ok({});
    asked = [];
    await send({ ticket: failed?.ticket ?? null });
    expect(paths()).toEqual(['/api/setMediaS3UploadFinish']);
  });

  it('keeps a file that has arrived when the points were spent meanwhile, and goes on with it', async () => {
    answers['/api/setMediaS3UploadFinish'] = refused(402, 'notEnoughPoints', 'You do not have enough points.');
    const { failed } = await send();
    const failure = { message: 'You do not have enough points.', next: 'retry' };
    expect(failed).toMatchObject({ ticket: { arrived: true }, failure });
    answers['/api/setMediaS3UploadFinish'] = ok({});
    asked = [];
    await send({ ticket: failed?.ticket ?? null });
    expect(paths()).toEqual(['/api/setMediaS3UploadFinish']);
  });

  it('[A12] sends the file again when the server misses it', async () => {
    answers['/api/setMediaS3UploadFinish'] = refused(409, 'uploadMissing', 'The file has not arrived yet.');
    const { failed } = await send();
    expect(failed).toMatchObject({ ticket: { arrived: false, mediaId: ID }, failure: { next: 'retry' } });
  });

  it('asks for a new link when the old one has expired', async () => {
    const expired = { ...ticket, expiresAt: '2001-01-01T00:00:00Z' };
    await send({ ticket: expired });
    expect(bodyOf('/api/requestUploadMedia').id).toBe(ID);
  });

  it('sends only the parts that have not arrived, also over new links [W19]', async () => {
    const linksOf = (...parts: object[]) =>
      ok({
        media_id: ID,
        original: '',
        cover: null,
        obj: null,
        headers: {},
        parts,
        expires_at: '2999-01-01T00:00:00Z',
      });
    answers['/api/requestUploadMedia'] = linksOf(part(1, 4), part(2, 4), part(3, 2));
    answers['/files/2'] = (request) => request.socket.destroy();
    const { failed } = await send();
    expect(failed?.ticket?.parts.map(({ arrived }) => arrived)).toEqual([true, false, false]);
    asked = [];
    // The link has expired meanwhile.
    answers['/files/2'] = refused(410, 'uploadLinkExpired', 'This link has expired.');
    answers['/files/4'] = (_request, response) => response.writeHead(200).end();
    answers['/files/3'] = answers['/files/4'];
    answers['/api/requestUploadMedia'] = linksOf(part(1, 4, true), part(4, 4), part(3, 2));
    const { types } = await send({ ticket: failed?.ticket ?? null });
    expect(types).toEqual(['ticket', 'arrived', 'done']);
    expect(bodyOf('/api/requestUploadMedia')).toMatchObject({ id: ID, resume: true });
    expect(asked.filter(({ method }) => method === 'PUT').map(({ path, body }) => [path, body])).toEqual([
      ['/files/2', '4567'],
      ['/files/4', '4567'],
      ['/files/3', '89'],
    ]);
  });

  it('begins anew when the server has forgotten the upload [W19]', async () => {
    const links = answers['/api/requestUploadMedia'] as Answer;
    const missing = refused(404, 'mediaNotFound', 'Not found.');
    answers['/api/requestUploadMedia'] = (request, response, body) =>
      ('id' in JSON.parse(body) ? missing : links)(request, response, body);
    const { types } = await send({ ticket: { ...ticket, expiresAt: '2001-01-01T00:00:00Z' } });
    expect(types).toEqual(['ticket', 'arrived', 'done']);
  });

  it.each([
    [413, 'tooLargeForProxy', /larger than the server in front/],
    [429, 'tooManyRequests', /wait a moment/],
    [502, 'serverUnavailable', /try again in a minute/],
    [503, 'serverUnavailable', /try again in a minute/],
    [504, 'serverUnavailable', /try again in a minute/],
    [200, 'unexpectedAnswer', /log in there/],
  ])(
    'says what a proxy means that answers a PUT with %i and HTML, and keeps the upload [W30]',
    async (status, code, words) => {
      answers['/files/1'] = (_request, response) =>
        response.writeHead(status, { 'content-type': 'text/html' }).end('<html>nginx</html>');
      const { failed } = await send();
      expect(failed?.failure).toEqual({ title: null, message: errorText(code), next: 'retry' });
      expect(failed?.failure.message).toMatch(words);
      answers['/files/1'] = (_request, response) => response.writeHead(200).end();
      asked = [];
      expect((await send({ ticket: failed?.ticket ?? null })).types).toEqual(['ticket', 'arrived', 'done']);
      expect(paths()).toEqual(['/files/1', '/api/setMediaS3UploadFinish']);
    },
  );

  it('keeps the upload when a proxy answers a call [W30]', async () => {
    answers['/api/setMediaS3UploadFinish'] = (_request, response) =>
      response.writeHead(504, { 'content-type': 'text/html' }).end('<html>nginx</html>');
    const { failed } = await send();
    expect(failed).toMatchObject({ ticket: { arrived: true }, failure: { next: 'retry' } });
  });

  it('lets the form be changed when the crop is refused', async () => {
    answers['/api/requestUploadMedia'] = refused(422, 'cropTooSmall', 'The crop is too small.');
    expect((await send()).failed?.failure.next).toBe('adjust');
  });

  it('tells nothing when it was aborted', async () => {
    const stop = new AbortController();
    answers['/files/1'] = () => stop.abort();
    const { types } = await send({}, stop.signal);
    expect(types).toEqual(['ticket']);
  });
});
