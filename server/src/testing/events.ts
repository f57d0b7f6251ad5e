import type { MediaDetail } from '@framelift/contract';

export interface EventStream<T = MediaDetail> {
  /** Server-sent events of a stream, in order, until the server ends it. */
  readonly events: AsyncIterable<T>;
  readonly response: Response;
  /** Disconnects like a browser whose tab is closed. */
  leave(): void;
}

export interface SentEvent {
  readonly event: string;
  readonly data: unknown;
}

/** Opens the events of a media; yields their data. */
export async function openEvents(url: string, token: string, language = 'en'): Promise<EventStream> {
  const stream = await openStream(url, token, language);
  return { ...stream, events: mediaOf(stream.events) };
}

async function* mediaOf(events: AsyncIterable<SentEvent>): AsyncGenerator<MediaDetail> {
  for await (const { event, data } of events) {
    if (event !== 'media') throw new Error(`Not an event of a media: ${event}`);
    yield data as MediaDetail;
  }
}

export async function openStream(url: string, token: string, language = 'en'): Promise<EventStream<SentEvent>> {
  const gone = new AbortController();
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, 'accept-language': language, accept: 'text/event-stream' },
    signal: gone.signal,
  });
  return { events: read(response), response, leave: () => gone.abort() };
}

async function* read(response: Response): AsyncGenerator<SentEvent> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const match = /^event: (\w+)\ndata: (.*)$/.exec(block);
      if (match?.[1] && match[2]) yield { event: match[1], data: JSON.parse(match[2]) };
      else if (!block.startsWith(':')) throw new Error(`Not an event: ${block}`);
    }
  }
  if (text !== '') throw new Error(`The stream ended within an event: ${text}`);
}
