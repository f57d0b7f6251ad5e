import { isCallError } from '../../api/client.ts';
import { looksLikePhone } from '../../ui/fieldRules.ts';
import { isStrong } from '../../ui/passwordRules.ts';

export interface ProfileFields {
  readonly name: string;
  readonly phone: string;
  readonly oldPassword: string;
  readonly password: string;
  readonly passwordConfirmation: string;
}
type Field = keyof ProfileFields;
export type FieldProblem = 'required' | 'invalidPhone' | 'passwordTooWeak' | 'passwordsDoNotMatch';
export type FieldProblems = Partial<Record<Field, FieldProblem>>;

/** A present password alone asks for nothing: browsers fill it in by themselves. */
export const wantsPassword = ({ password, passwordConfirmation }: ProfileFields): boolean =>
  password !== '' || passwordConfirmation !== '';

/** What keeps the profile from being saved, by field. */
export function checkProfile(fields: ProfileFields): FieldProblems {
  const problems: { -readonly [F in keyof FieldProblems]: FieldProblem } = {};
  if (fields.name.trim() === '') problems.name = 'required';
  if (!looksLikePhone(fields.phone)) problems.phone = 'invalidPhone';
  if (!wantsPassword(fields)) return problems;
  if (fields.oldPassword === '') problems.oldPassword = 'required';
  if (fields.password === '') problems.password = 'required';
  else if (!isStrong(fields.password)) problems.password = 'passwordTooWeak';
  if (fields.passwordConfirmation === '') problems.passwordConfirmation = 'required';
  else if (fields.passwordConfirmation !== fields.password) problems.passwordConfirmation = 'passwordsDoNotMatch';
  return problems;
}

const FIELD_OF: Readonly<Record<string, Field>> = {
  updateUsernameFailed: 'name',
  updatePasswordFailed: 'oldPassword',
  passwordTooWeak: 'password',
  passwordTooCommon: 'password',
  passwordsDoNotMatch: 'passwordConfirmation',
};

/** The field that the server's refusal is about, when it is about one. */
export function refusedField(error: unknown): Field | null {
  return (isCallError(error) && FIELD_OF[error.code]) || null;
}
