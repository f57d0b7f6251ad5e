/** Maximum length of the text in an `alert` parameter. */
const ALERT_LENGTH = 200;
/** Maximum length of a user id; longer ones are truncated before the server is asked. */
const USER_ID_LENGTH = 100;

interface Parameters {
  /** Plain text to show, from `alert`. */
  readonly alert: string | null;
  /** Opens the upload dialog; requested by `action=upload`, `showCropper` or `device_type_id`. */
  readonly upload: { readonly deviceTypeId: number | undefined } | null;
  /** Requests a guest session, from `guest`. */
  readonly guest: boolean;
  /** Code of a display frame, from `device`. */
  readonly device: string | null;
  /** Id of the user for whom the link was made, from `userId`. */
  readonly userId: string | null;
  /** The query without these parameters; the unchanged text if there were none. */
  readonly rest: string;
}

export function readParameters(search: string): Parameters {
  const query = new URLSearchParams(search);
  const deviceType = query.get('device_type_id');
  const wants = (name: string) => query.has(name) && !['false', '0'].includes(query.get(name) ?? '');
  const wantsUpload = query.get('action') === 'upload' || deviceType !== null || wants('showCropper');
  const found = {
    alert: query.get('alert')?.slice(0, ALERT_LENGTH) || null,
    upload: wantsUpload
      ? { deviceTypeId: deviceType && /^\d{1,9}$/.test(deviceType) ? Number(deviceType) : undefined }
      : null,
    guest: wants('guest'),
    device: query.get('device'),
    userId: query.get('userId')?.slice(0, USER_ID_LENGTH) || null,
  };
  const before = query.size;
  for (const name of ['alert', 'device_type_id', 'showCropper', 'lang', 'guest', 'device', 'userId'])
    query.delete(name);
  if (query.get('action') === 'upload') query.delete('action');
  return { ...found, rest: query.size === before ? search : query.size === 0 ? '' : `?${query}` };
}

/** Returns the query without one of its parameters, which is handled before the others. */
export function without(search: string, name: string): string {
  const query = new URLSearchParams(search);
  query.delete(name);
  return query.size === 0 ? '' : `?${query}`;
}
