import { looksLikeEmail, looksLikePhone } from '../../ui/field-rules.ts';
import { checkNewPassword, type NewPassword, type NewPasswordProblem } from '../../ui/new-password.ts';

export interface RegistrationFields extends NewPassword {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
}
export type FieldProblem = NewPasswordProblem | 'invalidEmail' | 'invalidPhone';
export type FieldProblems = Partial<Record<keyof RegistrationFields, FieldProblem>>;

/** Returns the problems that prevent submitting, by field. The phone is optional. */
export function checkRegistration(fields: RegistrationFields): FieldProblems {
  const problems: { -readonly [F in keyof FieldProblems]: FieldProblem } = {};
  if (fields.name.trim() === '') problems.name = 'required';
  if (fields.email.trim() === '') problems.email = 'required';
  else if (!looksLikeEmail(fields.email)) problems.email = 'invalidEmail';
  if (!looksLikePhone(fields.phone)) problems.phone = 'invalidPhone';
  return Object.assign(problems, checkNewPassword(fields, fields));
}
