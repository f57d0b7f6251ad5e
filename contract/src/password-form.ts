/**
 * Returns the form in which a password is counted, hashed and compared (RFC 8265, OpaqueString): the same keys give the
 * same password on devices that compose letters differently or type another kind of space.
 */
export function passwordForm(typed: string): string {
  return typed.replace(/\p{Zs}/gu, ' ').normalize('NFC');
}
