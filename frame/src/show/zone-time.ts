/** Time of day in the zone of a frame, whatever the zone of the device's own clock. */

/** Returns minutes since midnight. A zone that the browser does not know counts as the device's own. */
function minutesIn(timeZone: string, now: Date): number {
  try {
    const parts = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }).formatToParts(now);
    const partOf = (type: string) => Number(parts.find((part) => part.type === type)?.value);
    return partOf('hour') * 60 + partOf('minute');
  } catch {
    return now.getHours() * 60 + now.getMinutes();
  }
}

/**
 * True if the screen is dark at this time. Times are those of the clock on the wall: over a change to or from summer
 * time a night is an hour shorter or longer.
 */
export function isAsleep(
  sleep: { readonly from: string; readonly to: string } | null,
  timeZone: string,
  now: Date,
): boolean {
  if (!sleep) return false;
  const [from, to] = [minutesOf(sleep.from), minutesOf(sleep.to)];
  const at = minutesIn(timeZone, now);
  return from <= to ? from <= at && at < to : at >= from || at < to;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Returns the time for the clock on the screen, e.g. `7:05` or `下午7:05`. */
export function clockText(timeZone: string, language: string, now: Date): string {
  const style = { hour: 'numeric', minute: '2-digit' } as const;
  try {
    return new Intl.DateTimeFormat(language, { ...style, timeZone }).format(now);
  } catch {
    return new Intl.DateTimeFormat(language, style).format(now);
  }
}
