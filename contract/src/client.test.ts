import { describe, expect, expectTypeOf, it } from 'vitest';
import { CallError, type Client, createClient, type Page } from './client.ts';
import type { Media, User } from './entities.ts';

const ID = '6f1c7a52-8f7c-4f0e-9d53-0b6e0a0d7c11';

/** Returns a stand-in for fetch that records requests and returns `body`. */
function answering(body: unknown, init: ResponseInit = {}) {
  const asked: { url: string; init: RequestInit }[] = [];
  const send: typeof fetch = async (url, given = {}) => {
    asked.push({ url: String(url), init: given });
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), init);
  };
  return { asked, send };
}
const clientOf = (send: typeof fetch, more: object = {}): Client =>
  createClient({ base: '/api', fetch: send, ...more });
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail('no failure'),
    (error: CallError) => error,
  );

describe('the typed client', () => {
  it('sends a body as JSON, with the token as a bearer header and the language [R-4.session.7]', async () => {
    const { asked, send } = answering({ success: true, message: [] });
    await clientOf(send, { token: () => 'secret', language: () => 'ja' }).call('getDeviceType');
    expect(asked).toEqual([
      {
        url: '/api/getDeviceType',
        init: {
          method: 'POST',
          credentials: 'same-origin',
          body: '{}',
          headers: {
            accept: 'application/json',
            authorization: 'Bearer secret',
            'accept-language': 'ja',
            'content-type': 'application/json',
          },
        },
      },
    ]);
  });

  it('writes path and query, and leaves out what is not given', async () => {
    const { asked, send } = answering({ success: true, data: [], meta: { hasNext: false }, links: { next: null } });
    await clientOf(send).call('media', { params: { id: ID } });
    await clientOf(send).call('videos', { input: { page: 'a b&c', type: '0' } });
    await clientOf(send).call('videos', { input: {} });
    expect(asked.map(({ url }) => url)).toEqual([`/api/media/${ID}`, '/api/videos?page=a+b%26c&type=0', '/api/videos']);
    expect(asked.every(({ init }) => init.body === undefined)).toBe(true);
  });

  it('answers the message of an action and the page of a list', async () => {
    const user = { id: ID };
    expect(await clientOf(answering({ success: true, message: user }).send).call('user')).toEqual(user);
    const list = {
      success: true,
      data: [1, 2],
      meta: { hasNext: true },
      links: { self: 'x', next: '/api/videos?page=2' },
    };
    expect(await clientOf(answering(list).send).call('videos', { input: {} })).toEqual({
      data: [1, 2],
      hasNext: true,
      next: '/api/videos?page=2',
    });
  });

  it('knows the types of each call', () => {
    const { call } = clientOf(answering({}).send);
    expectTypeOf(call<'user'>).returns.resolves.toEqualTypeOf<User>();
    expectTypeOf(call<'videos'>).returns.resolves.toEqualTypeOf<Page<Media>>();
    // @ts-expect-error a call that streams is not for this client
    expectTypeOf(call<'mediaEvents'>).toBeFunction();
  });

  it('turns a refusal into an error with its code, lines and the time to wait', async () => {
    const body = { success: false, code: 'tooManyRequests', message: 'Too many tries.', errors: ['5 a minute'] };
    const { send } = answering(body, { status: 429, headers: { 'retry-after': '30' } });
    const error = await failureOf(clientOf(send).call('logout'));
    expect(error).toBeInstanceOf(CallError);
    expect(error).toMatchObject({
      code: 'tooManyRequests',
      status: 429,
      message: 'Too many tries.',
      details: ['5 a minute'],
      retryAfter: 30,
    });
  });

  it('says networkError when nothing answers', async () => {
    const away: typeof fetch = async () => {
      throw new TypeError('fetch failed');
    };
    expect(await failureOf(clientOf(away).call('user'))).toMatchObject({ code: 'networkError', status: 0 });
    const breaking: typeof fetch = async () =>
      new Response(new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) }));
    expect(await failureOf(clientOf(breaking).call('user'))).toMatchObject({ code: 'networkError', status: 0 });
  });

  const HTML = '<html><h1>nginx</h1></html>';
  it.each([
    ['a proxy with a smaller limit', 413, HTML, 'tooLargeForProxy', 413],
    ['a proxy that limits calls', 429, HTML, 'tooManyRequests', 429],
    ['a proxy whose server is away', 502, HTML, 'serverUnavailable', 502],
    ['a proxy whose server is starting', 503, 'Framelift is starting.', 'serverUnavailable', 503],
    ['a proxy whose server is slow', 504, '', 'serverUnavailable', 504],
    ['a bucket without room [W25]', 507, '<Error><Code>XMinioStorageFull</Code></Error>', 'serverFull', 507],
    ['a content network', 522, HTML, 'serverUnavailable', 522],
    ['a proxy that writes JSON of its own', 502, '{"error":"nginx"}', 'serverUnavailable', 502],
    ['the login page of a network', 200, HTML, 'unexpectedAnswer', 0],
    ['the JSON of a network', 200, '{"portal":"https://login"}', 'unexpectedAnswer', 0],
    ['nothing in an answer', 200, '', 'unexpectedAnswer', 0],
    ['a redirection to a login page', 302, HTML, 'unexpectedAnswer', 0],
    ['a firewall', 403, HTML, 'unexpectedAnswer', 0],
    ['a proxy with a password of its own', 401, HTML, 'unexpectedAnswer', 0],
  ])('knows %s (%i) from the server [W30]', async (_who, answered, text, code, status) => {
    const { send } = answering(text, { status: answered, headers: { 'content-type': 'text/html' } });
    const messageOf = (asked: string) => `the sentence of ${asked}`;
    const error = await failureOf(clientOf(send, { messageOf }).call('user'));
    expect(error).toMatchObject({ code, status, message: `the sentence of ${code}` });
    expect((await failureOf(clientOf(send).call('user'))).message).toMatch(/^[A-Z].*\.$/);
  });

  it.each([
    ['7', 7],
    [new Date(Date.now() + 60_000).toUTCString(), expect.closeTo(60, -1)],
    ['soon', undefined],
  ])('reads how long a proxy asks to wait: %s [W30]', async (value, expected) => {
    const { send } = answering(HTML, { status: 429, headers: { 'retry-after': value } });
    expect((await failureOf(clientOf(send).call('user'))).retryAfter).toEqual(expected);
  });

  it('lets an aborted call be told from a broken network', async () => {
    const controller = new AbortController();
    controller.abort();
    const aborting: typeof fetch = async (_url, init) => {
      init?.signal?.throwIfAborted();
      return new Response();
    };
    const error = await failureOf(clientOf(aborting).call('user', { signal: controller.signal }));
    expect(error.name).toBe('AbortError');
  });

  it('parses answers where that is wished', async () => {
    const { send } = answering({ success: true, message: { email: 7 } });
    const strict = clientOf(send, {
      parse: (schema: { parse(value: unknown): unknown }, value: unknown) => schema.parse(value),
    });
    await expect(strict.call('sendConfirmEmail', { input: { email: 'a@b.co' } })).rejects.toThrow('email');
  });
});
