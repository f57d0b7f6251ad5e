import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What the stand-in of a model hub does: sends the file, from the byte that was asked for; breaks the connection after
 * half of what is missing; falls silent there; sends another file of the same size; has none; has a problem of its own;
 * sends the login page of a network.
 */
export type HubMood = 'well' | 'cutting' | 'silent' | 'wrong' | 'missing' | 'troubled' | 'page';

export interface Hub {
  readonly address: string;
  /** Range headers of the requests so far; '' for the whole file. */
  readonly ranges: string[];
  /** Hosts that somebody asked it, as a proxy, to be connected with. It connects nobody. */
  readonly tunnels: string[];
  mood: HubMood;
  /** Lets silent connections go on. */
  goOn(): void;
  close(): Promise<void>;
}

/** Starts a stand-in of a model hub on this machine that has one file. */
export async function openHub(bytes: Uint8Array): Promise<Hub> {
  const ranges: string[] = [];
  const tunnels: string[] = [];
  const silent = new Set<() => void>();
  const server = createServer((request, response) => answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const hub: Hub = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/model.onnx`,
    ranges,
    tunnels,
    mood: 'well',
    goOn() {
      for (const finish of silent) finish();
      silent.clear();
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };

  function answer(request: IncomingMessage, response: ServerResponse): void {
    ranges.push(request.headers.range ?? '');
    response.on('error', () => {});
    if (hub.mood === 'missing') return void response.writeHead(404).end('Entry not found');
    if (hub.mood === 'troubled') return void response.writeHead(503).end();
    if (hub.mood === 'page') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Log in</p>');
    const file = hub.mood === 'wrong' ? bytes.map((byte) => byte ^ 255) : bytes;
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const range = { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` };
    const head = { 'content-length': file.length - from, etag: '"one"', ...(from > 0 && range) };
    response.writeHead(from > 0 ? 206 : 200, head);
    const half = from + Math.ceil((file.length - from) / 2);
    if (hub.mood === 'cutting') response.write(file.subarray(from, half), () => response.destroy());
    else if (hub.mood === 'silent') {
      response.write(file.subarray(from, half));
      silent.add(() => response.end(file.subarray(half)));
    } else response.end(file.subarray(from));
  }
  server.on('connect', ({ url = '' }, socket) => {
    tunnels.push(url);
    socket.on('error', () => {});
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  return hub;
}
