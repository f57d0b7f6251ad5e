import { z } from 'zod';

/** PayPal has two shapes of errors: of its token endpoint, and of everything else. */
const errorBody = z.looseObject({
  name: z.string().optional(),
  message: z.string().optional(),
  debug_id: z.string().optional(),
  details: z.array(z.looseObject({ issue: z.string().optional() })).optional(),
  links: z.array(z.looseObject({ href: z.string(), rel: z.string() })).optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
});

/** PayPal refused a call, or what became of it is not known. */
export class PayPalError extends Error {
  /** HTTP status; null if no answer came. */
  readonly status: number | null;
  /** PayPal's name of the error, such as `UNPROCESSABLE_ENTITY`; ours without an answer: `TIMEOUT`, `NO_ANSWER`. */
  override readonly name: string;
  /** PayPal's codes of what is wrong, such as `INSTRUMENT_DECLINED`. */
  readonly issues: readonly string[];
  /** What PayPal's support asks for. */
  readonly debugId: string | null;
  /** Page at which the buyer can choose another way to pay, after some refusals. */
  readonly redirectUrl: string | null;
  /** The call may have had its effect: it must not be taken for a failure, but asked about or repeated with its id. */
  readonly isUnknown: boolean;

  constructor(
    message: string,
    told: Partial<Pick<PayPalError, 'status' | 'name' | 'issues' | 'debugId' | 'redirectUrl' | 'isUnknown'>>,
  ) {
    super(message);
    this.status = told.status ?? null;
    this.name = told.name ?? 'PAYPAL_ERROR';
    this.issues = told.issues ?? [];
    this.debugId = told.debugId ?? null;
    this.redirectUrl = told.redirectUrl ?? null;
    this.isUnknown = told.isUnknown ?? false;
  }
}

/** Issues of a 4xx that only tell of another call about the same payment, which may have had its effect. */
const UNFINISHED = ['ORDER_COMPLETION_IN_PROGRESS', 'PREVIOUS_REQUEST_IN_PROGRESS', 'DUPLICATE_REQUEST_ID'];

/** Converts an answer of 400 or more. `body` is what could be parsed of it. */
export function asPayPalError(call: string, status: number, body: unknown, debugId: string | null): PayPalError {
  const { data } = errorBody.safeParse(body);
  const name = data?.name ?? data?.error?.toUpperCase() ?? `HTTP_${status}`;
  const issues = data?.details?.flatMap(({ issue }) => issue ?? []) ?? [];
  return new PayPalError(`PayPal refuses ${call}: ${status} ${[name, ...issues].join(' ')}`, {
    status,
    name,
    issues,
    debugId: debugId ?? data?.debug_id ?? null,
    redirectUrl: data?.links?.find(({ rel }) => rel === 'redirect')?.href ?? null,
    isUnknown: status >= 500 || status === 408 || status === 409 || issues.some((issue) => UNFINISHED.includes(issue)),
  });
}
