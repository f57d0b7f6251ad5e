/** Returns the time zone of the browser. Some browsers do not know theirs; the server then uses its own. */
export function zone(): { time_zone?: string } {
  const name = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return name && name !== 'Etc/Unknown' ? { time_zone: name } : {};
}
