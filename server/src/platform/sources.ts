import { lookup as resolve } from 'node:dns';
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { isPublicAddress } from './countries.ts';

/**
 * Why an address could not be read: `private` leads into a network that is not the internet, `missing` is a 404 or 410,
 * `failed` is everything else.
 */
export type SourceTrouble = 'private' | 'missing' | 'failed';

export class SourceError extends Error {
  readonly trouble: SourceTrouble;
  /** Status of the answer that cannot be used; null without an answer. */
  readonly status: number | null;
  constructor(trouble: SourceTrouble, message: string, options: ErrorOptions & { readonly status?: number } = {}) {
    super(message, options);
    this.name = 'SourceError';
    this.trouble = trouble;
    this.status = options.status ?? null;
  }
}

export interface SourceFile {
  /** Where it was found in the end. */
  readonly url: string;
  readonly status: 200 | 206;
  /** Bytes, if the source says so. */
  readonly size: number | null;
  readonly range: string | null;
  /** The caller reads or destroys it. */
  readonly body: Readable;
}

export interface SourceText {
  readonly url: string;
  readonly text: string;
}

/**
 * Reads files of other servers whose addresses operators have given or which their playlists name. It connects to public
 * addresses only, also behind a redirect or a name that changes its mind, so that nobody looks into the network of this
 * server through it.
 */
export interface Sources {
  /** @throws SourceError */
  open(
    url: string,
    options: { readonly range?: string | undefined; readonly signal: AbortSignal },
  ): Promise<SourceFile>;
  /** Reads a text. Callers within a second share one reading. @throws SourceError */
  readText(url: string): Promise<SourceText>;
  close(): Promise<void>;
}

const REDIRECTS = 3;
/** Until an answer begins, and between two parts of it. */
const SILENCE_MS = 10_000;
const TEXT_BYTES = 1024 * 1024;
const FRESH_MS = 1000;

/**
 * @param isAllowed whether an address may be connected to: those of the internet, and all where the encoder stands beside the
 *   server
 */
export function createSources(isAllowed: (address: string) => boolean = isPublicAddress): Sources {
  const agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) };
  const texts = new Map<string, Promise<SourceText>>();

  const refused = (host: string) => new SourceError('private', `${host} is not on the internet`);
  /** The addresses that are checked are those that are connected to. */
  const lookup: LookupFunction = (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return done(error ?? refused(host), '', 4);
      if (!addresses.every(({ address }) => isAllowed(address))) return done(refused(host), '', 4);
      return options.all ? done(null, addresses) : done(null, first.address, first.family);
    });
  };

  function ask(url: URL, range: string | undefined, signal: AbortSignal): Promise<IncomingMessage> {
    const { protocol } = url;
    if (protocol !== 'http:' && protocol !== 'https:')
      throw new SourceError('failed', 'is no address of http or https');
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) && !isAllowed(host)) throw refused(host);
    const request = protocol === 'https:' ? requestHttps : requestHttp;
    return new Promise((found, failed) => {
      const call = request(url, {
        agent: agents[protocol],
        lookup,
        signal,
        headers: { accept: '*/*', 'accept-encoding': 'identity', ...(range && { range }) },
      });
      call.setTimeout(SILENCE_MS, () => call.destroy(new SourceError('failed', 'does not answer')));
      call.once('response', found);
      call.on('error', failed);
      call.end();
    });
  }

  async function open(address: string, { range, signal }: Parameters<Sources['open']>[1]): Promise<SourceFile> {
    let url = new URL(address);
    for (let redirects = 0; ; redirects += 1) {
      const answer = await ask(url, range, signal).catch((cause: unknown) => {
        throw cause instanceof SourceError ? cause : new SourceError('failed', 'cannot be reached', { cause });
      });
      const { statusCode = 0, headers } = answer;
      if (statusCode === 200 || statusCode === 206)
        return {
          url: url.href,
          status: statusCode,
          size: headers['content-length'] === undefined ? null : Number(headers['content-length']),
          range: headers['content-range'] ?? null,
          body: answer,
        };
      answer.destroy();
      const answers = [`answers ${statusCode}`, { status: statusCode }] as const;
      if (statusCode === 404 || statusCode === 410) throw new SourceError('missing', ...answers);
      const isRedirect = [301, 302, 303, 307, 308].includes(statusCode) && headers.location !== undefined;
      if (!isRedirect) throw new SourceError('failed', ...answers);
      const next = URL.canParse(headers.location ?? '', url.href) ? new URL(headers.location ?? '', url) : null;
      if (!next || redirects === REDIRECTS) throw new SourceError('failed', 'redirects too often');
      if (url.protocol === 'https:' && next.protocol !== 'https:')
        throw new SourceError('failed', 'redirects to an address without encryption');
      url = next;
    }
  }

  async function readNow(address: string): Promise<SourceText> {
    const file = await open(address, { signal: AbortSignal.timeout(SILENCE_MS) });
    const parts: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const part of file.body as AsyncIterable<Buffer>) {
        bytes += part.length;
        if (bytes > TEXT_BYTES) throw new SourceError('failed', 'is too long for a playlist');
        parts.push(part);
      }
    } catch (cause) {
      throw cause instanceof SourceError ? cause : new SourceError('failed', 'breaks off', { cause });
    } finally {
      file.body.destroy();
    }
    return { url: file.url, text: Buffer.concat(parts).toString('utf8') };
  }

  return {
    open,
    readText(address) {
      const known = texts.get(address);
      if (known) return known;
      const reading = readNow(address);
      texts.set(address, reading);
      const forget = () => setTimeout(() => texts.delete(address), FRESH_MS).unref();
      reading.then(forget, forget);
      return reading;
    },
    async close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}
