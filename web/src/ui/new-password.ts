import { containsPersonalInfo, LIMITS, passwordForm } from '@framelift/contract';
import { isStrong } from './password-rules.ts';

export interface NewPassword {
  readonly password: string;
  readonly passwordConfirmation: string;
}
export type NewPasswordProblem =
  | 'required'
  | 'passwordTooWeak'
  | 'passwordTooLong'
  | 'passwordNamesOwner'
  | 'passwordsDoNotMatch';

/** Returns the problems of a new password and its repetition, by field. */
export function checkNewPassword(
  { password, passwordConfirmation }: NewPassword,
  owner: { readonly name: string; readonly email: string },
): Partial<Record<keyof NewPassword, NewPasswordProblem>> {
  const problems: Partial<Record<keyof NewPassword, NewPasswordProblem>> = {};
  if (password === '') problems.password = 'required';
  else if (!isStrong(password)) problems.password = 'passwordTooWeak';
  else if (passwordForm(password).length > LIMITS.password.max) problems.password = 'passwordTooLong';
  else if (containsPersonalInfo(password, owner)) problems.password = 'passwordNamesOwner';
  if (passwordConfirmation === '') problems.passwordConfirmation = 'required';
  else if (passwordForm(passwordConfirmation) !== passwordForm(password))
    problems.passwordConfirmation = 'passwordsDoNotMatch';
  return problems;
}
