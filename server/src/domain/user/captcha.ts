import { ApiError } from '@framelift/contract';
import { type Challenge, createChallenge, type Payload, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { z } from 'zod';
import type { Context, ProofOfWork } from '../../context.ts';
import { MINUTE_MS } from '../../platform/time.ts';
import { insertUsedProof } from './user.sql.ts';

export type CaptchaPurpose = 'register' | 'forget' | 'guest';

const ALGORITHM = 'PBKDF2/SHA-256';
const VALID_MS = 20 * MINUTE_MS;

const payload = z.looseObject({
  challenge: z.looseObject({
    signature: z.string().min(1).max(200),
    parameters: z.looseObject({
      algorithm: z.literal(ALGORITHM),
      // Verifying takes time in proportion to `cost`, so it needs a limit to protect the server.
      cost: z.int().max(100_000),
      expiresAt: z.int(),
      data: z.looseObject({ purpose: z.string() }),
    }),
  }),
  solution: z.looseObject({ counter: z.int(), derivedKey: z.string().max(200) }),
});

/** Returns a proof-of-work challenge bound to one form. @throws ApiError `notFound` while the proof of work is off */
export async function createCaptchaChallenge(
  context: Context,
  input: { readonly purpose: CaptchaPurpose },
): Promise<{ parameters: Record<string, unknown>; signature: string }> {
  const { captcha } = context.settings;
  if (captcha?.kind !== 'altcha') throw new ApiError('notFound');
  const { parameters, signature }: Challenge = await createChallenge({
    algorithm: ALGORITHM,
    cost: captcha.cost,
    counter: randomInt(captcha.counter.to, captcha.counter.from),
    deriveKey,
    hmacSignatureSecret: captcha.secret,
    hmacKeySignatureSecret: `${captcha.secret} key`,
    expiresAt: new Date(context.clock.now().getTime() + VALID_MS),
    data: { purpose: input.purpose },
  });
  return { parameters: { ...parameters }, signature: signature ?? '' };
}

/**
 * Accepts each proof once, for the form of its challenge. Always succeeds while captchas are off.
 * @throws ApiError `captchaFailed`
 */
export async function checkCaptcha(
  context: Context,
  purpose: CaptchaPurpose,
  solved: string | undefined,
): Promise<void> {
  const { captcha } = context.settings;
  if (!captcha) return;
  const passes =
    captcha.kind === 'altcha'
      ? await isSolved(context, captcha, purpose, solved ?? '')
      : await captcha.verify(solved ?? '', purpose);
  if (!passes) throw new ApiError('captchaFailed');
}

async function isSolved(context: Context, captcha: ProofOfWork, purpose: CaptchaPurpose, solved: string) {
  const { data: proof } = payload.safeParse(readJson(solved));
  if (proof?.challenge.parameters.data.purpose !== purpose) return false;
  const expiresAt = new Date(proof.challenge.parameters.expiresAt * 1000);
  const { verified } = await verifySolution({
    challenge: proof.challenge as unknown as Payload['challenge'],
    solution: proof.solution as unknown as Payload['solution'],
    deriveKey,
    hmacSignatureSecret: captcha.secret,
    hmacKeySignatureSecret: `${captcha.secret} key`,
  });
  if (!verified || expiresAt <= context.clock.now()) return false;
  // The library does not remember used proofs.
  return insertUsedProof(context.db, proof.challenge.signature, expiresAt);
}

function readJson(base64: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64, 'base64').toString());
  } catch {
    return null;
  }
}
