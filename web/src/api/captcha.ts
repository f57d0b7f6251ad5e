import type { Api, PublicConfig, SentInputOf } from '@framelift/contract';
import type { QueryClient } from '@tanstack/react-query';
import { configQuery } from './config.ts';

export type CaptchaPurpose = SentInputOf<Api['captchaChallenge']>['purpose'];

interface Prover {
  /** Returns a captcha proof of the kind that the server requires. */
  prove(purpose: CaptchaPurpose, config: PublicConfig): Promise<string>;
  /** Loads the code that a proof needs. */
  preload(config: PublicConfig): void;
}
let ready: { readonly prover: Prover; readonly client: QueryClient } | undefined;

export function configureCaptcha(prover: Prover, client: QueryClient): void {
  ready = { prover, client };
}

/**
 * Returns the captcha field of a visitor's form; empty when captchas are off.
 * @throws with the reason when no proof can be obtained
 */
export async function proof(purpose: CaptchaPurpose): Promise<{ recaptcha?: string }> {
  const config = await ready?.client.ensureQueryData(configQuery);
  return !ready || !config || config.captcha === 'off' ? {} : { recaptcha: await ready.prover.prove(purpose, config) };
}

/** Prepares `proof` while the form is filled in. Errors are ignored here: they recur in `proof` and are shown then. */
export function prepareProof(): void {
  ready?.client.ensureQueryData(configQuery).then(
    (config) => ready?.prover.preload(config),
    () => {},
  );
}
