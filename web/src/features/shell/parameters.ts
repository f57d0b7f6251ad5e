/** Longest text that an `alert` parameter may put on the screen. */
const ALERT_LENGTH = 200;

interface Parameters {
  /** Plain text to show, from `alert`. */
  readonly alert: string | null;
  /** The upload dialog is asked for by `action=upload`, `showCropper` or `device_type_id`. */
  readonly upload: { readonly deviceTypeId: number | undefined } | null;
  /** The query without them; the same text when there were none. */
  readonly rest: string;
}

export function readParameters(search: string): Parameters {
  const query = new URLSearchParams(search);
  const device = query.get('device_type_id');
  const wantsUpload =
    query.get('action') === 'upload' ||
    device !== null ||
    (query.has('showCropper') && query.get('showCropper') !== 'false');
  const alert = query.get('alert')?.slice(0, ALERT_LENGTH) || null;
  const before = query.size;
  for (const name of ['alert', 'device_type_id', 'showCropper', 'lang']) query.delete(name);
  if (query.get('action') === 'upload') query.delete('action');
  const rest = query.size === before ? search : query.size === 0 ? '' : `?${query}`;
  return {
    alert,
    upload: wantsUpload ? { deviceTypeId: device && /^\d{1,9}$/.test(device) ? Number(device) : undefined } : null,
    rest,
  };
}
