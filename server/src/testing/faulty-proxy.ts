import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What happens to a call: it never arrives, somebody else answers that there is no such page, its answer is lost, it is
 * answered with `null` after it took effect, or it arrives and is answered only once `release` is called.
 */
export type Fault = 'refuse' | 'notFound' | 'lose' | 'null' | 'hang';

/** An HTTP proxy between us and a provider that breaks calls as networks do. */
export interface FaultyProxy {
  readonly url: string;
  /** Where calls go, as an origin. */
  target: string;
  /** Decides about each call by its method and path. */
  fault: (call: string) => Fault | null;
  /** All calls that arrived, in order, such as `POST /v2/checkout/orders`, with their request ids. */
  readonly calls: { readonly call: string; readonly requestId: string | null }[];
  /** Lets all calls that hang go on. */
  release(): void;
  close(): Promise<void>;
}

export async function openFaultyProxy(): Promise<FaultyProxy> {
  const hanging: (() => void)[] = [];
  const server = createServer((request, response) => void forward(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: '',
    fault: () => null,
    calls: [],
    release() {
      for (const goOn of hanging.splice(0)) goOn();
    },
    async close() {
      this.release();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = `${request.method} ${request.url?.split('?', 1)[0]}`;
    const requestId = request.headers['paypal-request-id'];
    proxy.calls.push({ call, requestId: typeof requestId === 'string' ? requestId : null });
    const fault = proxy.fault(call);
    if (fault === 'refuse') {
      request.socket.destroy();
      return;
    }
    if (fault === 'hang') await new Promise<void>((goOn) => void hanging.push(goOn));
    if (fault === 'notFound') {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
      return;
    }
    const { hostname, port } = new URL(proxy.target);
    const { method, url: path, headers } = request;
    const far = send({ hostname, port, method, path, headers, agent: false });
    far.on('error', () => request.socket.destroy());
    far.on('response', async (answer) => {
      if (fault === null || fault === 'hang') {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
        return;
      }
      answer.resume();
      await once(answer, 'end');
      if (fault === 'lose') request.socket.destroy();
      else response.writeHead(201, { 'content-type': 'application/json' }).end('null');
    });
    request.pipe(far);
  }
  return proxy;
}
