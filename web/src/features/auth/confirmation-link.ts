/** Returns the query of a pasted confirmation link, or null if it is not one. Only code and address are kept. */
export function confirmationOf(link: string): URLSearchParams | null {
  let query: URLSearchParams;
  try {
    query = new URL(link.trim()).searchParams;
  } catch {
    return null;
  }
  const code = query.get('code');
  const email = query.get('email');
  return code && email ? new URLSearchParams({ code, email }) : null;
}
