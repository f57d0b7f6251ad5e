import { isCallError } from '../../api/client.ts';
import { looksLikePhone } from '../../ui/field-rules.ts';
import { checkNewPassword, type NewPassword, type NewPasswordProblem } from '../../ui/new-password.ts';

export interface ProfileFields extends NewPassword {
  readonly name: string;
  readonly phone: string;
  readonly oldPassword: string;
}
type Field = keyof ProfileFields;
export type FieldProblem = NewPasswordProblem | 'invalidPhone';
export type FieldProblems = Partial<Record<Field, FieldProblem>>;

/** A present password alone asks for nothing: browsers fill it in by themselves. */
export const wantsPassword = ({ password, passwordConfirmation }: ProfileFields): boolean =>
  password !== '' || passwordConfirmation !== '';

/** What keeps the profile from being saved, by field. */
export function checkProfile(fields: ProfileFields, email: string): FieldProblems {
  const problems: { -readonly [F in keyof FieldProblems]: FieldProblem } = {};
  if (fields.name.trim() === '') problems.name = 'required';
  if (!looksLikePhone(fields.phone)) problems.phone = 'invalidPhone';
  if (!wantsPassword(fields)) return problems;
  if (fields.oldPassword === '') problems.oldPassword = 'required';
  return Object.assign(problems, checkNewPassword(fields, { name: fields.name, email }));
}

const FIELD_OF: Readonly<Record<string, Field>> = {
  updateUsernameFailed: 'name',
  updatePasswordFailed: 'oldPassword',
  passwordTooWeak: 'password',
  passwordTooCommon: 'password',
  passwordNamesOwner: 'password',
  passwordsDoNotMatch: 'passwordConfirmation',
};

/** The field that the server's refusal is about, when it is about one. */
export function refusedField(error: unknown): Field | null {
  return (isCallError(error) && FIELD_OF[error.code]) || null;
}
