import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A line between the browser and the server that can be broken: what DevTools emulates lets a running upload finish. */
export interface Line {
  /** URL of the site over this line, without a trailing slash. */
  readonly url: string;
  /** Resets all connections, and each new one until it is mended. */
  break(): void;
  mend(): void;
  close(): Promise<void>;
}

/** Opens a line to the server at `target`, such as `http://localhost:3000`. */
export async function openLine(target: string): Promise<Line> {
  const port = Number(new URL(target).port);
  const sockets = new Set<Socket>();
  let broken = false;
  const server = createServer((near) => {
    if (broken) return near.resetAndDestroy();
    const far = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    break: () => {
      broken = true;
      cut();
    },
    mend: () => {
      broken = false;
    },
    close: async () => {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}
