const FEWEST = 4;
/** Names written in Han or kana are whole in two characters. */
const FEWEST_WIDE = 2;
const SERVICE = 'framelift';

const plain = (text: string): string => text.normalize('NFKC').toLowerCase();

/**
 * Whether a password holds the name or the address of its owner, or the name of this service: what somebody who guesses
 * tries first. Words of fewer than four letters are let pass, for many a good password holds them by chance.
 */
export function containsPersonalInfo(
  password: string,
  owner: { readonly name: string; readonly email: string },
): boolean {
  const typed = plain(password);
  const [local = ''] = plain(owner.email).trim().split('@', 1);
  // What follows a plus is a note of the owner's.
  const [mailbox = ''] = local.split('+', 1);
  const joined = mailbox.replaceAll(/[._-]/g, '');
  const words = [...plain(owner.name).split(/\s+/), mailbox, joined, ...local.split(/[._+-]+/), SERVICE];
  return words.some((word) => {
    const fewest = /^[\p{ASCII}\p{Script=Latin}]*$/u.test(word) ? FEWEST : FEWEST_WIDE;
    return [...word].length >= fewest && typed.includes(word);
  });
}
