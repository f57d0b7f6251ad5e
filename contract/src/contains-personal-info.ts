const FEWEST = 4;
/** Names in Han or kana may have only two characters. */
const FEWEST_WIDE = 2;
const SERVICE = 'framelift';

const plain = (text: string): string => text.normalize('NFKC').toLowerCase();

/**
 * Returns whether a password contains the name or the address of its owner, or the name of this service, which
 * attackers try first. Words with fewer than four letters are ignored, because many good passwords contain them by
 * chance.
 */
export function containsPersonalInfo(
  password: string,
  owner: { readonly name: string; readonly email: string },
): boolean {
  const typed = plain(password);
  const [local = ''] = plain(owner.email).trim().split('@', 1);
  // The part after a plus is a tag chosen by the owner.
  const [mailbox = ''] = local.split('+', 1);
  const joined = mailbox.replaceAll(/[._-]/g, '');
  const words = [...plain(owner.name).split(/\s+/), mailbox, joined, ...local.split(/[._+-]+/), SERVICE];
  return words.some((word) => {
    const fewest = /^[\p{ASCII}\p{Script=Latin}]*$/u.test(word) ? FEWEST : FEWEST_WIDE;
    return [...word].length >= fewest && typed.includes(word);
  });
}
