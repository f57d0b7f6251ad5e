/** Longest text that an `alert` parameter may put on the screen. */
const ALERT_LENGTH = 200;
/** Longest id that is worth asking the server about. */
const USER_ID_LENGTH = 100;

interface Parameters {
  /** Plain text to show, from `alert`. */
  readonly alert: string | null;
  /** The upload dialog is asked for by `action=upload`, `showCropper` or `device_type_id`. */
  readonly upload: { readonly deviceTypeId: number | undefined } | null;
  /** A guest session is asked for by `guest`. */
  readonly guest: boolean;
  /** The display frame that `device` names. */
  readonly device: string | null;
  /** Whose session the link is for, from `userId`. */
  readonly userId: string | null;
  /** The query without them; the same text when there were none. */
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

/** The query without one of its parameters, which was acted upon before the others. */
export function without(search: string, name: string): string {
  const query = new URLSearchParams(search);
  query.delete(name);
  return query.size === 0 ? '' : `?${query}`;
}
