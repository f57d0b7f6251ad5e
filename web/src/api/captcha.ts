import type { Api, PublicConfig, SentInputOf } from '@framelift/contract';
import type { QueryClient } from '@tanstack/react-query';
import { configQuery } from './config.ts';

export type CaptchaPurpose = SentInputOf<Api['captchaChallenge']>['purpose'];

interface Prover {
  /** Proves that a person sends a form, in the way that the server asks for. */
  prove(purpose: CaptchaPurpose, config: PublicConfig): Promise<string>;
  /** Fetches what that will take. */
  preload(config: PublicConfig): void;
}
let prover: Prover | undefined;

export function configureCaptcha(how: Prover): void {
  prover = how;
}

/** What a form of strangers sends beside its fields. @throws when there is no proof to be had, with why */
export async function proof(queries: QueryClient, purpose: CaptchaPurpose): Promise<{ recaptcha?: string }> {
  const config = await queries.ensureQueryData(configQuery);
  return config.captcha === 'off' || !prover ? {} : { recaptcha: await prover.prove(purpose, config) };
}

/** Makes ready for `proof` while the form is filled in. What fails here fails again there, and is told then. */
export function prepareProof(queries: QueryClient): void {
  queries.ensureQueryData(configQuery).then(
    (config) => prover?.preload(config),
    () => {},
  );
}
