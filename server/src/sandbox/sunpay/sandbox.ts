import { ApiError, asLanguage, FALLBACK_LANGUAGE, type Language } from '@framelift/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Db } from '../../platform/db/open.ts';
import type { Log } from '../../platform/log.ts';
import { openSandboxStore, type SandboxStore } from '../store.ts';
import { REFUSALS, type Refusal, readMessage, resultMessage } from './messages.ts';
import { donePage, payPage, policyOf, refusedPage, TEST_CARDS } from './pages.ts';
import {
  accountOf,
  acknowledge,
  addTrade,
  RESULTS,
  type Result,
  type SunPayState,
  settle,
  sunPayState,
  type Trade,
  takeDue,
} from './state.ts';

export const SUNPAY_SANDBOX_PATH = '/sandbox/sunpay';

export interface SunPaySandboxOptions {
  readonly store: SandboxStore<SunPayState>;
  /** Asked when needed, because a test knows its port late. */
  readonly addresses: () => {
    /** Where browsers reach the sandbox, with its path. */
    readonly base: string;
    /**
     * The two addresses that a merchant enters in SunPay's console: for results, null to get none, and for the return of
     * the browser.
     */
    readonly callbackUrl: string | null;
    readonly returnUrl: string;
  };
  readonly clock: { now(): Date };
  readonly log: Log;
}

const BODY_BYTES = 128 * 1024;
/** How often due callbacks are looked for. The first delivery does not wait for it. */
const TICK_MS = 10_000;
const CALLBACK_TIMEOUT_MS = 10_000;
const ACK = 'success';

export const openSunPayStore = (db: Db): SandboxStore<SunPayState> => openSandboxStore(db, 'sunpay', sunPayState);

/** Returns the shop's account at the sandbox, as an operator would copy it from SunPay's console; the key is PEM. */
export async function sunPaySandboxAccount(db: Db): Promise<{ web: string; secret: string; publicKey: string }> {
  const { web, secret, publicKey } = await openSunPayStore(db).change(accountOf);
  return { web, secret, publicKey };
}

/**
 * Serves a stand-in for SunPay: its calls and pages, and its callbacks, sent over HTTP. No money moves. Null mounts only a
 * 404, for servers with an account of SunPay.
 */
export function mountSunPaySandbox(app: FastifyInstance, options: SunPaySandboxOptions | null): void {
  if (!options) {
    const refuse = async () => {
      throw new ApiError('notFound');
    };
    // Before the body is looked at: its type is not that of the API.
    app.all(`${SUNPAY_SANDBOX_PATH}/*`, { onRequest: refuse }, refuse);
    return;
  }
  const { store, addresses, clock, log } = options;
  const now = () => clock.now().getTime();
  const sending = new Set<Promise<unknown>>();
  const stopped = new AbortController();

  /** Sends every callback that is due, and returns how many. */
  async function deliver(): Promise<number> {
    const { callbackUrl } = addresses();
    if (callbackUrl === null) return 0;
    const waiting = Object.values((await store.read()).trades).some(({ dueAt }) => dueAt !== null && dueAt <= now());
    if (!waiting) return 0;
    const { account, due } = await store.change((state) => ({
      account: accountOf(state),
      due: structuredClone(takeDue(state, now())),
    }));
    await Promise.all(
      due.map(async (trade) => {
        if (await isAcknowledged(callbackUrl, trade, resultMessage(account, trade)))
          await store.change((state) => acknowledge(state, trade));
      }),
    );
    return due.length;
  }

  async function isAcknowledged(url: string, trade: Trade, fields: Record<string, string>): Promise<boolean> {
    // Each product of SunPay has its own type of content.
    const request: RequestInit =
      trade.kind === 'cash'
        ? { body: new URLSearchParams(fields) }
        : { body: JSON.stringify(fields), headers: { 'content-type': 'application/json' } };
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(CALLBACK_TIMEOUT_MS)]);
    try {
      const answer = await fetch(url, { ...request, method: 'POST', redirect: 'error', signal });
      return answer.ok && (await answer.text()).trim() === ACK;
    } catch {
      return false;
    }
  }

  /** Delivers without holding up whoever pays. */
  function deliverSoon(): void {
    const delivery = deliver().catch((error: unknown) => {
      if (!stopped.signal.aborted) log.warn({ err: error }, 'Callbacks of the SunPay sandbox could not be sent');
    });
    sending.add(delivery);
    void delivery.finally(() => sending.delete(delivery));
  }

  const timer = setInterval(deliverSoon, TICK_MS);
  timer.unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    stopped.abort();
    await Promise.all(sending);
  });

  /** Reads a message of the shop and acts on it, in one change: of twenty with one number, one is accepted. */
  const onMessage = <T>(
    request: FastifyRequest,
    act: (state: SunPayState, body: Readonly<Record<string, string>>) => T | { readonly refusal: Refusal },
  ) =>
    store.change((state) => {
      const read = readMessage(accountOf(state), request.body, now());
      return 'refusal' in read ? read : act(state, read.body);
    });

  const languageOf = (header = '') =>
    header
      .split(',')
      .map((tag) => asLanguage(tag.trim().split(/[-;]/)[0]))
      .find((language) => language !== null) ?? FALLBACK_LANGUAGE;

  /** Sends a page in the language of the buyer, or of the browser where no buyer is known. */
  const sendPage = (
    request: FastifyRequest,
    reply: FastifyReply,
    text: (language: Language) => string,
    buyer: Language | null = null,
  ) => {
    const { base, returnUrl } = addresses();
    reply.headers({ 'content-security-policy': policyOf([base, returnUrl]), 'cache-control': 'no-store' });
    return reply.type('text/html; charset=utf-8').send(text(buyer ?? languageOf(request.headers['accept-language'])));
  };

  app.register(
    async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(
        'application/json',
        { parseAs: 'string', bodyLimit: BODY_BYTES },
        scope.getDefaultJsonParser('error', 'error'),
      );
      scope.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string', bodyLimit: BODY_BYTES },
        (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(String(text)))),
      );

      scope.post('/v4/cash', async (request, reply) => {
        const opened = await onMessage(request, (state, body) => {
          if (!body['td'] || !body['mn']) return { refusal: 'badField' };
          return addTrade(state, 'cash', body, now()) ?? { refusal: 'duplicateOrder' };
        });
        if ('refusal' in opened)
          return sendPage(request, reply.code(400), (language) => refusedPage(language, opened.refusal));
        // A page of its own, so that a reload does not send the order again.
        return reply.redirect(`${SUNPAY_SANDBOX_PATH}/pay/${opened.pageId}`, 303);
      });

      scope.post('/v3/token', async (request) => {
        const answer = await onMessage(request, (state, body) => {
          if (!body['td'] || !body['mn'] || !body['save_card_token'] || body['version'] !== '2')
            return { refusal: 'badField' };
          return body['token_key'] ? charge(state, body, body['token_key']) : firstPayment(state, body);
        });
        if ('refusal' in answer) return { code: REFUSALS[answer.refusal], msg: answer.refusal };
        if (!answer.result) deliverSoon();
        return answer;
      });

      function firstPayment(state: SunPayState, body: Readonly<Record<string, string>>) {
        const trade = addTrade(state, 'token', body, now());
        if (!trade) return { refusal: 'duplicateOrder' } as const;
        const result = { pay_code: `${addresses().base}/pay/${trade.pageId}`, trade_no: trade.tradeNo };
        return { code: '00', msg: 'OK', result };
      }

      function charge(state: SunPayState, body: Readonly<Record<string, string>>, tokenKey: string) {
        const card = Object.hasOwn(state.cards, tokenKey) ? state.cards[tokenKey] : undefined;
        if (!card) return { refusal: 'unknownToken' } as const;
        const trade = addTrade(state, 'charge', body, now());
        if (!trade) return { refusal: 'duplicateOrder' } as const;
        const result = card.declines ? 'failure' : 'success';
        settle(state, trade, { result, last4: card.last4, silent: false, declines: card.declines }, now());
        return { code: card.declines ? REFUSALS.declined : '00', msg: card.declines ? 'declined' : 'OK', result: null };
      }

      scope.post('/v4/query/PaymentCheck', async (request) => {
        const answer = await onMessage(request, (state, { td, trade_no }) => {
          if (!td && !trade_no) return { pay_result: '06' };
          const found = Object.values(state.trades).find((trade) => trade.td === td || trade.tradeNo === trade_no);
          if (!found) return { pay_result: '12' };
          const { result, isRefunded } = found;
          const told = result === null || result === 'created' ? UNFINISHED : RESULTS[result];
          return {
            pay_result: isRefunded ? REFUNDED : told,
            td: found.td,
            trade_no: found.tradeNo,
            mn: found.mn,
            currency: 'TWD',
            refund_status: isRefunded ? '2' : '0',
          };
        });
        return 'refusal' in answer ? { code: REFUSALS[answer.refusal], msg: answer.refusal } : answer;
      });

      const findPage = (state: SunPayState, id: string) =>
        Object.values(state.trades).find(({ pageId }) => pageId === id);
      const sendPaymentPage = (
        request: FastifyRequest,
        reply: FastifyReply,
        state: SunPayState,
        trade: Trade | undefined,
        view: { readonly wrongCard?: boolean; readonly done?: boolean } = {},
      ) => {
        if (!trade) return sendPage(request, reply.code(404), (language) => refusedPage(language, 'noPayment'));
        const buyer = asLanguage(trade.note2);
        if (trade.result === null || (trade.result === 'created' && !view.done))
          return sendPage(request, reply, (language) => payPage(language, trade, view.wrongCard), buyer);
        const back = { url: addresses().returnUrl, fields: resultMessage(accountOf(state), trade) };
        return sendPage(request, reply, (language) => donePage(language, trade, back), buyer);
      };

      scope.get<{ Params: { id: string } }>('/pay/:id', async (request, reply) => {
        const state = await store.read();
        return sendPaymentPage(request, reply, state, findPage(state, request.params.id));
      });

      scope.post<{ Params: { id: string } }>('/pay/:id', async (request, reply) => {
        const choice = payForm.safeParse(request.body);
        const { state, trade, wrongCard } = await store.change((state) => {
          const trade = findPage(state, request.params.id);
          const wrongCard = choice.success && isWrongCard(trade, choice.data);
          if (trade && choice.success && !wrongCard) {
            const { result, number, silent, declines } = choice.data;
            const last4 = trade.result === 'created' ? null : (number ?? '').slice(-4);
            settle(state, trade, { result, last4, silent, declines }, now());
          }
          return { state: structuredClone(state), trade: structuredClone(trade), wrongCard };
        });
        deliverSoon();
        return sendPaymentPage(request, reply, state, trade, { wrongCard, done: choice.success });
      });

      // For tests, whose clock is ahead of the timer.
      scope.post('/callbacks/deliver', async () => ({ sent: await deliver() }));
    },
    { prefix: SUNPAY_SANDBOX_PATH },
  );
}

const ticked = z.literal('1').optional().transform(Boolean);
/** Results that only a query tells. */
const [UNFINISHED, REFUNDED] = ['13', '14'];

const payForm = z.object({
  result: z.enum(Object.keys(RESULTS) as [Result, ...Result[]]),
  number: z.string().optional(),
  expiry: z.string().optional(),
  code: z.string().optional(),
  silent: ticked,
  declines: ticked,
});

/** Returns whether somebody pays with another card than a test card, whose number must not be kept or shown again. */
function isWrongCard(trade: Trade | undefined, { result, number, expiry, code }: z.output<typeof payForm>): boolean {
  if (result !== 'success' || trade?.result === 'created') return false;
  return !TEST_CARDS.some(
    (card) =>
      card.number === number?.replace(/[\s-]/g, '') && card.expiry === expiry?.trim() && card.code === code?.trim(),
  );
}
