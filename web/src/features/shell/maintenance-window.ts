import type { Language, PublicConfig } from '@framelift/contract';
import { formatDateTime } from '../../i18n/format.ts';

/** The window of a maintenance in the reader's language and zone, and the name of that zone. */
export function maintenanceWindow({ from, to }: PublicConfig['maintenance'], language: Language) {
  const zone = new Intl.DateTimeFormat(language, { timeZoneName: 'short' })
    .formatToParts(new Date(from))
    .find(({ type }) => type === 'timeZoneName')?.value;
  return { from: formatDateTime(from, language), to: formatDateTime(to, language), zone: zone ?? 'UTC' };
}
