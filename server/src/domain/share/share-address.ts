import type { Context } from '../../context.ts';

const PURPOSE = 'share';

/** Returns the token of a public link. Everybody who has it sees the picture: it belongs into no log. */
const tokenOf = ({ capabilities }: Context, id: string): string => capabilities.tokenOf(PURPOSE, id);

/** Returns the id of the public link with this token; null if no such token was ever made. */
export const idOf = ({ capabilities }: Context, token: string): string | null => capabilities.idOf(PURPOSE, token);

/** Returns the addresses of the public page and of the page for an `<iframe>`. */
export function addressesOf(context: Context, id: string): { readonly url: string; readonly embed: string } {
  const { publicUrl } = context.settings;
  const token = tokenOf(context, id);
  return { url: `${publicUrl}/s/${token}`, embed: `${publicUrl}/embed/${token}` };
}
