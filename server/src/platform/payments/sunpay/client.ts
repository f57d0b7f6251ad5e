import type { KeyObject } from 'node:crypto';
import { fromDecimal } from '@framelift/contract';
import { z } from 'zod';
import type { Log } from '../../log.ts';
import { type Envelope, envelope, type Fields, fromSendTime, readKey, seal, unseal } from './envelope.ts';
import { type SunPayOrder, toFields } from './request.ts';

/** What SunPay gives a merchant. */
export interface SunPayMerchant {
  /** Merchant code, like MC31793850. */
  readonly web: string;
  /** SunPay's public key. */
  readonly publicKey: KeyObject;
  readonly secret: string;
  /** Opens messages of SunPay: its public key, or our private key where the merchant's contract says so. */
  readonly callbackKey: KeyObject;
}

export interface SunPayOptions {
  readonly merchant: SunPayMerchant;
  /** Where browsers reach SunPay, without a slash at the end: `https://trade.sunpay.com.tw`. */
  readonly base: () => string;
  /** Where this server reaches it, if elsewhere: a local sandbox may be behind a proxy. */
  readonly apiBase?: () => string;
  readonly clock: { now(): Date };
  readonly log: Log;
  /** Time limit for one call. */
  readonly timeoutMs?: number;
}

/** Why an outcome is unknown: the call may have been carried out. `checkPayment` settles it. */
export type SunPayTrouble = 'unreachable' | 'timeout' | 'badStatus' | 'badBody';

interface Unknown {
  readonly state: 'unknown';
  readonly reason: SunPayTrouble;
}
/** SunPay said no: nothing was charged, and nothing will be under this number. */
interface Refused {
  readonly state: 'refused';
  readonly code: string;
  /** Words of SunPay, usually Chinese; for the operator. */
  readonly message: string;
}

export type SunPayTokenAnswer =
  | {
      readonly state: 'accepted';
      readonly code: '00';
      /** Address of the page where the buyer pays; its origin is SunPay's. */
      readonly payCode: string;
      readonly tradeNo: string;
    }
  | Refused
  | Unknown;

export type SunPayChargeAnswer =
  | {
      /** SunPay took the charge on. Whether money moved is told by the callback or by `checkPayment`. */
      readonly state: 'accepted';
      readonly code: '00';
      /** The bank asks the card's owner to confirm, which nobody can do in a renewal. */
      readonly needsOwner: boolean;
    }
  | Refused
  | Unknown;

export type SunPayCheck =
  | {
      readonly state: 'success' | 'failure' | 'unfinished' | 'refunded' | 'cancelled';
      readonly td: string;
      readonly tradeNo: string | null;
      /** Minor units of TWD; null if SunPay does not tell. */
      readonly amount: number | null;
      readonly currency: string;
      readonly refund: 'none' | 'processing' | 'done' | 'failed' | 'cancelled' | null;
    }
  /** SunPay knows no such order: nothing was ever paid for it. */
  | { readonly state: 'notFound' }
  | Unknown;

/** A verified message about a payment. The amount is the one that was paid: compare it with the order. */
export interface SunPayCallback {
  readonly td: string;
  readonly tradeNo: string;
  /** Minor units of TWD. */
  readonly amount: number;
  readonly currency: string;
  /** `created`: the buyer got a code to pay with later, in a shop or at a bank. */
  readonly result: 'success' | 'failure' | 'created';
  readonly sentAt: Date;
  /**
   * Sent more than two minutes ago: a resend, or a message that somebody kept. If it is news, ask `checkPayment` before
   * anything is granted.
   */
  readonly isLate: boolean;
  readonly cardLast4: string | null;
  readonly approveCode: string | null;
  readonly note: string | null;
  /** Charges the same card again; secret. */
  readonly tokenKey: string | null;
  /** Last day of the token, `YYYY-MM-DD`. */
  readonly tokenLife: string | null;
}

/** Why a callback is refused. `stale` ones are settled by `checkPayment`. */
export type SunPayRefusal = 'malformed' | 'unreadable' | 'badCheckValue' | 'headDiffers' | 'wrongMerchant' | 'stale';

/** A message that is not a present one of SunPay to us. Changes nothing; is logged. */
export class SunPayCallbackError extends Error {
  readonly reason: SunPayRefusal;
  constructor(reason: SunPayRefusal) {
    super(`The message is refused: ${reason}`);
    this.name = 'SunPayCallbackError';
    this.reason = reason;
  }
}

export interface SunPay {
  /**
   * Returns the form that the buyer's browser posts to SunPay's page. Valid for two minutes.
   * @throws SunPayFieldError
   */
  cashForm(order: SunPayOrder): { readonly action: string; readonly fields: Envelope };
  /**
   * Returns the four signed fields of a first payment whose card is stored under `cardHandle`; `requestToken` sends them.
   * @throws SunPayFieldError
   */
  tokenForm(order: SunPayOrder & { readonly cardHandle: string }): Envelope;
  /** Asks for the page of a first payment, with fields of `tokenForm`. */
  requestToken(fields: Envelope): Promise<SunPayTokenAnswer>;
  /**
   * Charges a stored card again, under a new order number.
   * @throws SunPayFieldError
   */
  chargeToken(
    order: SunPayOrder & { readonly cardHandle: string; readonly tokenKey: string },
  ): Promise<SunPayChargeAnswer>;
  /** Asks what became of an order. */
  checkPayment(order: { readonly td: string }): Promise<SunPayCheck>;
  /**
   * Returns the content of a callback, or of the form that the buyer's browser brings back: the parsed JSON or form.
   * @throws SunPayCallbackError
   */
  verifyCallback(body: unknown): SunPayCallback;
  /** Returns whether the address is a page of SunPay, to which a buyer may be sent. */
  isPayPageUrl(url: string): boolean;
}

/** Paths of this server that are entered in SunPay's console: for results, and for the return of the browser. */
export const SUNPAY_CALLBACK_PATH = '/payments/sunpay/callback';
export const SUNPAY_RETURN_PATH = '/payments/sunpay/return';

/** Ends the resends of a callback that is answered with it. */
export const CALLBACK_ACK = 'success';

const TIMEOUT_MS = 15_000;
/** A message is valid for this long. */
const FRESH_MS = 120_000;
/** A callback is repeated for this long. */
const RESEND_MS = 30 * 60_000;
const API_VERSION = '2';
/** Stores the card in any case. */
const SAVE_CARD = '2';
const CODE_ACCEPTED = '00';
/** SunPay does not know itself. */
const CODE_UNKNOWN = '99';

const tokenAnswer = z.looseObject({
  code: z.string(),
  msg: z.string().nullish(),
  result: z.looseObject({ pay_code: z.url(), trade_no: z.coerce.string() }).nullish(),
});
const chargeAnswer = z.looseObject({ code: z.string(), msg: z.string().nullish(), resultHtml: z.string().nullish() });

/** Values may come as numbers or as texts; an empty one is none. */
const value = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((given) => (given === null || given === undefined || given === '' ? null : String(given)));
const some = value.pipe(z.string());

/** Results of callbacks. The same numbers mean other things in a query. */
const CALLBACK_RESULTS = { '10': 'success', '11': 'failure', '12': 'created' } as const;
const callback = z.looseObject({
  td: some,
  trade_no: some,
  mn: some.transform(dollars),
  currency: value,
  pay_result: some.pipe(z.enum(['10', '11', '12'])),
  card_no: value,
  approve_code: value,
  note1: value,
  token_key: value,
  token_life: value,
});

/** Results of queries: 12 is "no such order" here. 06 is left out: it says that we asked without a number. */
const CHECK_RESULTS = {
  '10': 'success',
  '11': 'failure',
  '12': 'notFound',
  '13': 'unfinished',
  '14': 'refunded',
  '15': 'cancelled',
} as const;
const REFUNDS = ['none', 'processing', 'done', 'failed', 'cancelled'] as const;
const check = z.looseObject({
  pay_result: some.pipe(z.enum(['10', '11', '12', '13', '14', '15'])),
  td: value,
  trade_no: value,
  mn: value.transform((text, context) => (text === null ? null : dollars(text, context))),
  currency: value,
  refund_status: value,
});

function dollars(text: string, context: z.RefinementCtx): number {
  const amount = fromDecimal(text, 'TWD');
  if (amount !== null) return amount;
  context.addIssue({ code: 'custom', message: 'is no amount' });
  return z.NEVER;
}

/** Returns the account of a merchant whose public key is given in PEM. */
export function readMerchant(account: { web: string; secret: string; publicKey: string }): SunPayMerchant {
  const publicKey = readKey(account.publicKey, 'public');
  return { web: account.web, secret: account.secret, publicKey, callbackKey: publicKey };
}

export function createSunPay(options: SunPayOptions): SunPay {
  const { merchant, base, clock, log, timeoutMs = TIMEOUT_MS } = options;
  const { apiBase = base } = options;
  const { web } = merchant;

  const sign = (body: Fields, encoding: 'rfc3986' | 'php') =>
    seal({ web, sentAt: clock.now(), body }, merchant, encoding);

  /** Returns the parsed JSON answer, or why there is none. Logs neither what was sent nor what came. */
  async function post<T>(path: string, init: RequestInit, schema: z.ZodType<T>): Promise<T | Unknown> {
    const unknown = (reason: SunPayTrouble, status?: number): Unknown => {
      log.warn({ path, reason, status }, 'The outcome of a call to SunPay is unknown');
      return { state: 'unknown', reason };
    };
    let text: string;
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const answer = await fetch(apiBase() + path, { ...init, method: 'POST', redirect: 'error', signal });
      if (answer.status !== 200) {
        await answer.body?.cancel();
        return unknown('badStatus', answer.status);
      }
      text = await answer.text();
    } catch (error) {
      return unknown(error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unreachable');
    }
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      return unknown('badBody');
    }
  }

  const asJson = (fields: Envelope) => ({
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(fields),
  });

  function isPayPageUrl(url: string): boolean {
    if (!URL.canParse(url)) return false;
    const { origin, username, password } = new URL(url);
    return origin === new URL(base()).origin && !username && !password;
  }

  function judge(answer: { readonly code: string; readonly msg?: string | null | undefined }): Refused | Unknown {
    if (answer.code === CODE_UNKNOWN || answer.code === CODE_ACCEPTED) return { state: 'unknown', reason: 'badBody' };
    return { state: 'refused', code: answer.code, message: answer.msg ?? '' };
  }

  return {
    cashForm: (order) => ({ action: `${base()}/v4/cash`, fields: sign(toFields(order), 'rfc3986') }),

    tokenForm: ({ cardHandle, ...order }) =>
      sign(toFields(order, { save_card: SAVE_CARD, save_card_token: cardHandle, version: API_VERSION }), 'php'),

    async requestToken(fields) {
      const answer = await post('/v3/token', asJson(fields), tokenAnswer);
      if (isUnknown(answer)) return answer;
      if (answer.code !== CODE_ACCEPTED || !answer.result) return judge(answer);
      const { pay_code: payCode, trade_no: tradeNo } = answer.result;
      if (isPayPageUrl(payCode)) return { state: 'accepted', code: CODE_ACCEPTED, payCode, tradeNo };
      log.error({ origin: new URL(payCode).origin }, 'SunPay names a pay page elsewhere, which is not opened');
      return { state: 'unknown', reason: 'badBody' };
    },

    async chargeToken({ cardHandle, tokenKey, ...order }) {
      const more = { save_card: SAVE_CARD, save_card_token: cardHandle, token_key: tokenKey, version: API_VERSION };
      const answer = await post('/v3/token', asJson(sign(toFields(order, more), 'php')), chargeAnswer);
      if (isUnknown(answer)) return answer;
      if (answer.code !== CODE_ACCEPTED) return judge(answer);
      return { state: 'accepted', code: CODE_ACCEPTED, needsOwner: Boolean(answer.resultHtml) };
    },

    async checkPayment({ td }) {
      const body = new URLSearchParams({ ...sign({ td }, 'rfc3986') });
      const answer = await post('/v4/query/PaymentCheck', { body, headers: { accept: 'application/json' } }, check);
      if (isUnknown(answer)) return answer;
      const state = CHECK_RESULTS[answer.pay_result];
      if (state === 'notFound') return { state };
      // An answer about another order is none.
      if (answer.td !== null && answer.td !== td) return { state: 'unknown', reason: 'badBody' };
      return {
        state,
        td,
        tradeNo: answer.trade_no,
        amount: answer.mn,
        currency: answer.currency ?? 'TWD',
        refund: REFUNDS[Number(answer.refund_status ?? -1)] ?? null,
      };
    },

    verifyCallback(body) {
      const outer = envelope.safeParse(body);
      if (!outer.success) throw new SunPayCallbackError('malformed');
      const opened = unseal(outer.data, merchant);
      if (typeof opened === 'string') throw new SunPayCallbackError(opened);
      if (opened.web !== web) throw new SunPayCallbackError('wrongMerchant');
      const sentAt = fromSendTime(opened.sendTime);
      if (sentAt === null) throw new SunPayCallbackError('malformed');
      const age = clock.now().getTime() - sentAt.getTime();
      if (age > RESEND_MS + FRESH_MS || age < -FRESH_MS) throw new SunPayCallbackError('stale');
      const parsed = callback.safeParse(opened.body);
      if (!parsed.success) throw new SunPayCallbackError('malformed');
      const { data } = parsed;
      return {
        td: data.td,
        tradeNo: data.trade_no,
        amount: data.mn,
        currency: data.currency ?? 'TWD',
        result: CALLBACK_RESULTS[data.pay_result],
        sentAt,
        isLate: age > FRESH_MS,
        cardLast4: data.card_no,
        approveCode: data.approve_code,
        note: data.note1,
        tokenKey: data.token_key,
        tokenLife: data.token_life?.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3') ?? null,
      };
    },

    isPayPageUrl,
  };
}

function isUnknown<T extends object>(answer: T | Unknown): answer is Unknown {
  return 'state' in answer && answer.state === 'unknown';
}
