import { LIMITS, passwordForm } from '@framelift/contract';

/** Password requirements one by one, for the live hints; together they are the contract's rule. */
export const PASSWORD_RULES = {
  length: (password: string) => passwordForm(password).length >= LIMITS.password.min,
  upper: (password: string) => /\p{Lu}/u.test(password),
  lower: (password: string) => /\p{Ll}/u.test(password),
  digit: (password: string) => /\p{Nd}/u.test(password),
} as const;
export type PasswordRule = keyof typeof PASSWORD_RULES;
export const PASSWORD_RULE_NAMES = Object.keys(PASSWORD_RULES) as readonly PasswordRule[];

export const isStrong = (password: string): boolean =>
  PASSWORD_RULE_NAMES.every((rule) => PASSWORD_RULES[rule](password));
