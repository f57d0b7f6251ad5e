import { namesOwner } from '@framelift/contract';
import { looksLikeEmail, looksLikePhone } from '../../ui/fieldRules.ts';
import { isStrong } from '../../ui/passwordRules.ts';

export interface RegistrationFields {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly password: string;
  readonly passwordConfirmation: string;
}
export type FieldProblem =
  | 'required'
  | 'invalidEmail'
  | 'invalidPhone'
  | 'passwordTooWeak'
  | 'passwordNamesOwner'
  | 'passwordsDoNotMatch';
export type FieldProblems = Partial<Record<keyof RegistrationFields, FieldProblem>>;

/** What keeps the form from being sent, by field. The phone may stay empty. */
export function checkRegistration(fields: RegistrationFields): FieldProblems {
  const problems: { -readonly [F in keyof FieldProblems]: FieldProblem } = {};
  if (fields.name.trim() === '') problems.name = 'required';
  if (fields.email.trim() === '') problems.email = 'required';
  else if (!looksLikeEmail(fields.email)) problems.email = 'invalidEmail';
  if (!looksLikePhone(fields.phone)) problems.phone = 'invalidPhone';
  return Object.assign(problems, checkNewPassword(fields, fields));
}

/** The same for a new password alone, typed twice. */
export function checkNewPassword(
  { password, passwordConfirmation }: Pick<RegistrationFields, 'password' | 'passwordConfirmation'>,
  owner: { readonly name: string; readonly email: string },
): FieldProblems {
  const problems: { -readonly [F in keyof FieldProblems]: FieldProblem } = {};
  if (password === '') problems.password = 'required';
  else if (!isStrong(password)) problems.password = 'passwordTooWeak';
  else if (namesOwner(password, owner)) problems.password = 'passwordNamesOwner';
  if (passwordConfirmation === '') problems.passwordConfirmation = 'required';
  else if (passwordConfirmation !== password) problems.passwordConfirmation = 'passwordsDoNotMatch';
  return problems;
}
