import { CURRENCIES, type Currency, currencyCode, fromDecimal, isChargeable } from '@framelift/contract';
import { z } from 'zod';
import { Refusal } from './refusal.ts';
import type { SandboxState } from './state.ts';

/** One call of the API, while the state is locked. */
export interface Exchange {
  readonly state: SandboxState;
  readonly now: number;
  /** Base of the API as the caller sees it. */
  readonly apiBase: string;
  /** Base of the pages for buyers. */
  readonly pageBase: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** `Prefer: return=representation` */
  readonly whole: boolean;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

/** Parses the body of a call. @throws Refusal 400 for the first field that is wrong */
export function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = `/${issue?.path.join('/') ?? ''}`;
  const isMissing = issue?.code === 'invalid_type' && at(body, issue.path) === undefined;
  const isLength = issue?.code === 'too_big' || issue?.code === 'too_small';
  const isSyntax = issue?.code === 'invalid_format';
  const name = isMissing
    ? 'MISSING_REQUIRED_PARAMETER'
    : isLength
      ? 'INVALID_STRING_LENGTH'
      : isSyntax
        ? 'INVALID_PARAMETER_SYNTAX'
        : 'INVALID_PARAMETER_VALUE';
  throw new Refusal(400, name, { field, value: at(body, issue?.path ?? []) });
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value);
}

export const wireAmount = z.looseObject({
  currency_code: z.string().length(3),
  value: z
    .string()
    .max(32)
    .regex(/^-?\d+(\.\d+)?$/),
});

/** Returns minor units. @throws Refusal 422 for what cannot be charged */
export function readAmount(told: z.output<typeof wireAmount>, field: string): { amount: number; currency: Currency } {
  const { data: currency } = currencyCode.safeParse(told.currency_code);
  if (!currency) throw new Refusal(422, 'INVALID_CURRENCY_CODE', { field, value: told.currency_code });
  if (!(Number(told.value) > 0)) throw new Refusal(422, 'CANNOT_BE_ZERO_OR_NEGATIVE', { field, value: told.value });
  const amount = fromDecimal(told.value, currency);
  if (amount === null || !isChargeable(amount, currency)) {
    const description = `${currency} has ${CURRENCIES[currency].digits} decimals.`;
    throw new Refusal(422, 'DECIMAL_PRECISION', { field, value: told.value, description });
  }
  return { amount, currency };
}

/** Returns a record of the state. @throws Refusal 404 */
export function find<T>(records: Readonly<Record<string, T>>, id: string | undefined): T {
  const found = id !== undefined && Object.hasOwn(records, id) ? records[id] : undefined;
  if (!found) throw new Refusal(404, 'INVALID_RESOURCE_ID', { description: 'Specified resource ID does not exist.' });
  return found;
}

/** An address to which buyers may be sent back. */
export const returnAddress = z.url({ protocol: /^https?$/ });
