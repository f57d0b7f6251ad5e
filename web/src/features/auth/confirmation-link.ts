/** The query of a confirmation link that was pasted, or null when it is none. Only code and address are taken over. */
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
