import { z } from 'zod';
import type { Log } from './log.ts';

export interface Recaptcha {
  readonly siteKey: string;
  /** URL of the script that the web app loads, without its query. */
  readonly script: string;
  /** Returns whether a person made the token, on this site and for this form. False if Google is unreachable. */
  verify(token: string, action: string): Promise<boolean>;
}

export interface RecaptchaOptions {
  readonly siteKey: string;
  /** Secret of the key, or an API key if there is a `project`. */
  readonly secret: string;
  /** Project of reCAPTCHA Enterprise; null for keys of reCAPTCHA v3. */
  readonly project: string | null;
  /** Host of the pages whose tokens are accepted. */
  readonly hostname: string;
  /** Google's origin, or its alternative where that is blocked. */
  readonly origin: string;
  readonly enterpriseOrigin?: string;
  readonly log: Log;
}

const TIMEOUT_MS = 3000;
/** 1 is a person, 0 a bot; Google's recommended default. */
const MIN_SCORE = 0.5;

/** Common result of both services. */
interface Judgement {
  readonly valid: boolean;
  readonly hostname: string | undefined;
  readonly action: string | undefined;
  readonly score: number | undefined;
  readonly reasons: readonly string[];
}

const siteverify = z.looseObject({
  success: z.boolean(),
  hostname: z.string().optional(),
  action: z.string().optional(),
  score: z.number().optional(),
  'error-codes': z.array(z.string()).default([]),
});
const assessment = z.looseObject({
  tokenProperties: z.looseObject({
    valid: z.boolean().default(false),
    invalidReason: z.string().default(''),
    hostname: z.string().optional(),
    action: z.string().optional(),
  }),
  riskAnalysis: z.looseObject({ score: z.number().optional() }).optional(),
});

export function createRecaptcha(options: RecaptchaOptions): Recaptcha {
  const { siteKey, secret, project, hostname, origin, log } = options;
  const { enterpriseOrigin = 'https://recaptchaenterprise.googleapis.com' } = options;

  async function post(url: string, init: RequestInit): Promise<unknown> {
    const response = await fetch(url, { ...init, method: 'POST', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`It answers ${response.status}`);
    return response.json();
  }

  async function judge(token: string, action: string): Promise<Judgement> {
    if (project === null) {
      const body = new URLSearchParams({ secret, response: token });
      const answer = siteverify.parse(await post(`${origin}/recaptcha/api/siteverify`, { body }));
      return { ...answer, valid: answer.success, reasons: answer['error-codes'] } as Judgement;
    }
    const answer = assessment.parse(
      await post(`${enterpriseOrigin}/v1/projects/${project}/assessments?key=${encodeURIComponent(secret)}`, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ event: { token, siteKey, expectedAction: action } }),
      }),
    );
    const { valid, invalidReason, ...told } = answer.tokenProperties;
    return {
      valid,
      hostname: told.hostname,
      action: told.action,
      score: answer.riskAnalysis?.score,
      reasons: [invalidReason],
    };
  }

  return {
    siteKey,
    script: `${origin}/recaptcha/${project === null ? 'api' : 'enterprise'}.js`,
    async verify(token, action) {
      if (token === '') return false;
      try {
        const told = await judge(token, action);
        // Tells the operator about a wrong secret, which would reject everybody.
        if (!told.valid) log.warn({ reasons: told.reasons }, 'reCAPTCHA refuses a token');
        return told.valid && told.hostname === hostname && told.action === action && (told.score ?? 0) >= MIN_SCORE;
      } catch (error) {
        // Fails closed. The error is not logged, because its URL contains the key.
        log.warn({ reason: error instanceof Error ? error.name : 'unknown' }, 'reCAPTCHA cannot be asked');
        return false;
      }
    },
  };
}
