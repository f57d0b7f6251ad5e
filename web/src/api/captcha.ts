import type { Api, PublicConfig, SentInputOf } from '@framelift/contract';
import type { QueryClient } from '@tanstack/react-query';
import { configQuery } from './config.ts';

export type CaptchaPurpose = SentInputOf<Api['captchaChallenge']>['purpose'];

interface Prover {
  /** Proves that a person sends a form, in the way that the server asks for. */
  prove(purpose: CaptchaPurpose, config: PublicConfig): Promise<string>;
  /** Fetches the code that a proof needs. */
  preload(config: PublicConfig): void;
}
let ready: { readonly prover: Prover; readonly client: QueryClient } | undefined;

export function configureCaptcha(prover: Prover, client: QueryClient): void {
  ready = { prover, client };
}

/** What a visitor's form sends beside its fields. @throws when no proof can be had, with the reason */
export async function proof(purpose: CaptchaPurpose): Promise<{ recaptcha?: string }> {
  const config = await ready?.client.ensureQueryData(configQuery);
  return !ready || !config || config.captcha === 'off' ? {} : { recaptcha: await ready.prover.prove(purpose, config) };
}

/** Prepares `proof` while the form is filled in. What fails here fails again there, and is shown then. */
export function prepareProof(): void {
  ready?.client.ensureQueryData(configQuery).then(
    (config) => ready?.prover.preload(config),
    () => {},
  );
}
