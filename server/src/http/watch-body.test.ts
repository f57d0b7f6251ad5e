import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { SLOWEST } from '../platform/storage/receive.ts';
import { watchBody } from './watch-body.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('a request whose body does not move is closed, a moving one is not [W19]', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let watched = false;
  let received = 0;
  const server = createServer((incoming, answer) => {
    watchBody(incoming);
    watched = true;
    incoming.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    incoming.on('end', () => answer.end('done'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = (server.address() as AddressInfo).port;
  const sent = request({ port, host: '127.0.0.1', method: 'PUT', agent: false });
  let outcome = 'open';
  sent.on('error', () => {
    outcome = 'closed';
  });
  sent.flushHeaders();
  await expect.poll(() => watched).toBe(true);
  for (let window = 1; window <= 4; window++) {
    sent.write(Buffer.alloc(SLOWEST.bytes));
    await expect.poll(() => received).toBe(window * SLOWEST.bytes);
    vi.advanceTimersByTime(2 * SLOWEST.ms);
  }
  expect(outcome).toBe('open');
  sent.write('x');
  await expect.poll(() => received).toBe(4 * SLOWEST.bytes + 1);
  vi.advanceTimersByTime(2 * SLOWEST.ms);
  await expect.poll(() => outcome).toBe('closed');
  server.close();
});
