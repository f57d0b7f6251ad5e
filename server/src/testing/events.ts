import type { MediaDetail } from '@framelift/contract';

export interface EventStream {
  /** Data of each server-sent event of a stream, in order, until the server ends it. */
  readonly events: AsyncIterable<MediaDetail>;
  readonly response: Response;
  /** Disconnects like a browser whose tab is closed. */
  leave(): void;
}

export async function openEvents(url: string, token: string, language = 'en'): Promise<EventStream> {
  const gone = new AbortController();
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, 'accept-language': language, accept: 'text/event-stream' },
    signal: gone.signal,
  });
  return { events: read(response), response, leave: () => gone.abort() };
}

async function* read(response: Response): AsyncGenerator<MediaDetail> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const match = /^event: media\ndata: (.*)$/.exec(block);
      if (match?.[1]) yield JSON.parse(match[1]) as MediaDetail;
      else if (!block.startsWith(':')) throw new Error(`Not an event: ${block}`);
    }
  }
  if (text !== '') throw new Error(`The stream ended within an event: ${text}`);
}
