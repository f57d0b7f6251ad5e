import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { z } from 'zod';

/** Time between two deliveries of a callback that was not acknowledged, and how long they go on. */
const RESEND_EVERY_MS = 5 * 60_000;
const RESEND_FOR_MS = 30 * 60_000;
/** The state is one document: the oldest payments make room. */
const MAX_TRADES = 300;

/** Results as SunPay's callbacks tell them. */
export const RESULTS = { success: '10', failure: '11', created: '12' } as const;
export type Result = keyof typeof RESULTS;

const trade = z.object({
  td: z.string(),
  tradeNo: z.string(),
  /** Secret part of the address of its pay page. */
  pageId: z.string(),
  /** How it was asked for: by the cash page, by the token page, or with the token of a card. */
  kind: z.enum(['cash', 'token', 'charge']),
  mn: z.string(),
  info: z.string(),
  /** As callbacks show it: 王○明. */
  name: z.string(),
  note1: z.string().nullable(),
  note2: z.string().nullable(),
  result: z.enum(['success', 'failure', 'created']).nullable(),
  cardLast4: z.string().nullable(),
  approveCode: z.string().nullable(),
  tokenKey: z.string().nullable(),
  /** Milliseconds since 1970, as all times here. */
  createdAt: z.number(),
  settledAt: z.number().nullable(),
  /** The operator has sent money back in the console. */
  isRefunded: z.boolean().default(false),
  /** Next delivery of the callback; null when it was acknowledged or given up. */
  dueAt: z.number().nullable(),
});
export type Trade = z.output<typeof trade>;

export const sunPayState = z.object({
  /** Made when first needed; all processes use the same. */
  account: z
    .object({ web: z.string(), secret: z.string(), publicKey: z.string(), privateKey: z.string() })
    .nullable()
    .default(null),
  /** By `td`. */
  trades: z.record(z.string(), trade).default({}),
  /** By `token_key`. */
  cards: z.record(z.string(), z.object({ last4: z.string(), declines: z.boolean() })).default({}),
});
export type SunPayState = z.output<typeof sunPayState>;
export type Account = NonNullable<SunPayState['account']>;

/** Returns the test account of the shop, and makes it the first time. */
export function accountOf(state: SunPayState): Account {
  if (state.account) return state.account;
  // 1024 bits are SunPay's.
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 1024,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const secret = randomBytes(32).toString('hex').toUpperCase();
  state.account = { web: 'MC00000001', secret, publicKey, privateKey };
  return state.account;
}

const randomDigits = (count: number) =>
  BigInt(`0x${randomBytes(16).toString('hex')}`)
    .toString()
    .slice(-count);

/** Adds an open payment; null if its number was used before. */
export function addTrade(
  state: SunPayState,
  kind: Trade['kind'],
  body: Readonly<Record<string, string>>,
  now: number,
): Trade | null {
  const { td = '', mn = '', order_info = '', sna = '', note1 = null, note2 = null } = body;
  if (Object.hasOwn(state.trades, td)) return null;
  const added: Trade = {
    td,
    tradeNo: `SP${randomDigits(14)}`,
    pageId: randomBytes(24).toString('base64url'),
    kind,
    mn,
    info: order_info,
    name: [...sna].map((sign, index, all) => (index > 0 && index < Math.max(2, all.length - 1) ? '○' : sign)).join(''),
    note1,
    note2,
    result: null,
    cardLast4: null,
    approveCode: null,
    tokenKey: null,
    createdAt: now,
    settledAt: null,
    isRefunded: false,
    dueAt: null,
  };
  state.trades[td] = added;
  const all = Object.values(state.trades).sort((a, b) => a.createdAt - b.createdAt);
  for (const { td: old } of all.slice(0, Math.max(0, all.length - MAX_TRADES))) delete state.trades[old];
  return added;
}

export interface Settlement {
  readonly result: Result;
  readonly last4: string | null;
  /** The shop gets no callback. */
  readonly silent: boolean;
  /** Later charges of this card fail. */
  readonly declines: boolean;
}

/** Gives a payment its result, once; one that was only created can still succeed or fail. Returns false if it has one. */
export function settle(state: SunPayState, paid: Trade, how: Settlement, now: number): boolean {
  if (paid.result === 'success' || paid.result === 'failure' || paid.result === how.result) return false;
  paid.result = how.result;
  paid.settledAt = now;
  paid.dueAt = how.silent ? null : now;
  if (how.result !== 'success') return true;
  paid.cardLast4 = how.last4;
  paid.approveCode = randomDigits(6);
  if (paid.kind === 'token' && how.last4) {
    paid.tokenKey = randomBytes(18).toString('hex');
    state.cards[paid.tokenKey] = { last4: how.last4, declines: how.declines };
  }
  return true;
}

/** Takes the callbacks that are due, and plans the next delivery of each: only one process sends it. */
export function takeDue(state: SunPayState, now: number): Trade[] {
  const due = Object.values(state.trades).filter(({ dueAt }) => dueAt !== null && dueAt <= now);
  for (const taken of due) {
    const since = now - (taken.settledAt ?? now);
    const next = (Math.floor(since / RESEND_EVERY_MS) + 1) * RESEND_EVERY_MS;
    taken.dueAt = next > RESEND_FOR_MS ? null : (taken.settledAt ?? now) + next;
  }
  // The last delivery may begin a little late; one that was missed is not made up for.
  return due.filter(({ settledAt }) => now - (settledAt ?? now) < RESEND_FOR_MS + RESEND_EVERY_MS);
}

/** Ends the deliveries of a result, unless there is a newer one. */
export function acknowledge(state: SunPayState, { td, settledAt }: Pick<Trade, 'td' | 'settledAt'>): void {
  const known = state.trades[td];
  if (known?.settledAt === settledAt) known.dueAt = null;
}
