import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Clock } from '../context.ts';
import { createLog } from '../platform/log.ts';
import { createPayPal, type PayPal } from '../platform/payments/paypal/paypal.ts';
import { createSunPay, readMerchant, type SunPay } from '../platform/payments/sunpay/client.ts';
import { mountPayPalSandbox, PAYPAL_SANDBOX } from '../sandbox/paypal/paypal-sandbox.ts';
import { type SandboxState, sandboxState } from '../sandbox/paypal/state.ts';
import type { SandboxStore } from '../sandbox/store.ts';
import { mountSunPaySandbox, SUNPAY_SANDBOX_PATH } from '../sandbox/sunpay/sandbox.ts';
import { accountOf, type SunPayState, sunPayState } from '../sandbox/sunpay/state.ts';
import type { Fault } from './faulty-proxy.ts';

/** The memory of a provider in the process of the test, which may read and change it at any time. */
interface Memory<State> extends SandboxStore<State> {
  state: State;
}

/** Both providers on a server of their own, whose calls break as networks do. They send nothing: the test delivers. */
export interface TestProviders {
  readonly url: string;
  readonly paypal: PayPal;
  readonly sunpay: SunPay;
  readonly webhookId: string;
  readonly atPayPal: Memory<SandboxState>;
  readonly atSunPay: Memory<SunPayState>;
  /** Decides about each call by its method and path. */
  fault: (call: string) => Fault | null;
  close(): Promise<void>;
}

function createMemory<State>(state: State): Memory<State> {
  const memory: Memory<State> = {
    state,
    async change(edit) {
      const draft = structuredClone(memory.state);
      const result = edit(draft);
      memory.state = draft;
      return result;
    },
    read: async () => memory.state,
  };
  return memory;
}

export async function openProviders(clock: Clock): Promise<TestProviders> {
  const log = createLog('silent');
  const account = { clientId: 'client', clientSecret: 'secret', webhookId: 'webhook' };
  const atPayPal = createMemory(sandboxState.parse({}));
  const atSunPay = createMemory(sunPayState.parse({}));
  const app = fastify({ forceCloseConnections: true });
  breakCalls(app, (call) => providers.fault(call));
  mountPayPalSandbox(app, {
    ...account,
    ...{ store: atPayPal, log, now: () => clock.now(), webhookUrl: null, publicUrl: null },
  });
  let url = '';
  const base = () => url + SUNPAY_SANDBOX_PATH;
  const addresses = () => ({ base: base(), callbackUrl: null, returnUrl: 'http://framelift.test/return' });
  mountSunPaySandbox(app, { store: atSunPay, addresses, clock, log });
  url = await app.listen({ host: '127.0.0.1', port: 0 });
  const merchant = readMerchant(await atSunPay.change(accountOf));
  const providers: TestProviders = {
    url,
    paypal: createPayPal({ ...account, apiBase: () => url + PAYPAL_SANDBOX, brandName: 'Framelift', log, clock }),
    sunpay: createSunPay({ merchant, base, clock, log }),
    webhookId: account.webhookId,
    atPayPal,
    atSunPay,
    fault: () => null,
    close: () => app.close(),
  };
  return providers;
}

function breakCalls(app: FastifyInstance, decide: (call: string) => Fault | null): void {
  const faults = new WeakMap<FastifyRequest, Fault>();
  app.addHook('onRequest', async (request, reply) => {
    const fault = decide(`${request.method} ${request.url.split('?', 1)[0]}`);
    if (fault) faults.set(request, fault);
    if (fault !== 'refuse') return;
    reply.hijack();
    request.raw.socket.destroy();
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const fault = faults.get(request);
    if (fault === 'lose') request.raw.socket.destroy();
    if (fault !== 'null') return payload;
    reply.code(201).header('content-type', 'application/json').removeHeader('content-length');
    return 'null';
  });
}
