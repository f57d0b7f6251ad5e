import { isCallError } from '../../api/client.ts';
import { checkNewPassword, type NewPassword, type NewPasswordProblem } from '../../ui/new-password.ts';

export interface ProfileFields extends NewPassword {
  readonly name: string;
  readonly phone: string;
  readonly oldPassword: string;
}
type Field = keyof ProfileFields;
type FieldProblem = NewPasswordProblem | 'invalidPhone';

/** True when a new password was entered. The current password alone does not count, because browsers autofill it. */
export const wantsPassword = ({ password, passwordConfirmation }: ProfileFields): boolean =>
  password !== '' || passwordConfirmation !== '';

/**
 * Returns the problems that prevent saving the profile, by field and in field order.
 * @param wrong whether the contract's schema rejects a field of the input
 */
export function checkProfile(fields: ProfileFields, email: string, wrong: (field: 'name' | 'phone') => boolean) {
  const problems: Partial<Record<Field, FieldProblem>> = {};
  if (wrong('name')) problems.name = 'required';
  if (wrong('phone')) problems.phone = 'invalidPhone';
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

/** Returns the field that a refusal by the server refers to, or null. */
export function refusedField(error: unknown): Field | null {
  return (isCallError(error) && FIELD_OF[error.code]) || null;
}
