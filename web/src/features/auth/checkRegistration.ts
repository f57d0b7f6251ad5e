import { looksLikeEmail, looksLikePhone } from '../../ui/fieldRules.ts';
import { isStrong } from '../../ui/passwordRules.ts';

export interface RegistrationFields {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly password: string;
  readonly passwordConfirmation: string;
}
export type FieldProblem = 'required' | 'invalidEmail' | 'invalidPhone' | 'passwordTooWeak' | 'passwordsDoNotMatch';
export type FieldProblems = Partial<Record<keyof RegistrationFields, FieldProblem>>;

/** What keeps the form from being sent, by field. The phone may stay empty. */
export function checkRegistration(fields: RegistrationFields): FieldProblems {
  const problems: { -readonly [F in keyof FieldProblems]: FieldProblem } = {};
  if (fields.name.trim() === '') problems.name = 'required';
  if (fields.email.trim() === '') problems.email = 'required';
  else if (!looksLikeEmail(fields.email)) problems.email = 'invalidEmail';
  if (!looksLikePhone(fields.phone)) problems.phone = 'invalidPhone';
  if (fields.password === '') problems.password = 'required';
  else if (!isStrong(fields.password)) problems.password = 'passwordTooWeak';
  if (fields.passwordConfirmation === '') problems.passwordConfirmation = 'required';
  else if (fields.passwordConfirmation !== fields.password) problems.passwordConfirmation = 'passwordsDoNotMatch';
  return problems;
}
