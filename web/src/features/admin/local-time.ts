/** Formats a time as the value of an `<input type="datetime-local">`, in the user's time zone. */
export function toLocalInput(time: string | Date): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Converts the value of such a field to UTC; null while it is empty or incomplete. */
export function fromLocalInput(value: string): string | null {
  const date = new Date(value);
  return value === '' || Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** True when both fields are complete and the end is not after the start. */
export function endsTooEarly({ from, to }: { from: string; to: string }): boolean {
  const [start, end] = [fromLocalInput(from), fromLocalInput(to)];
  return start !== null && end !== null && end <= start;
}

/** Returns the start of a day in the user's time zone, `days` after the value of an `<input type="date">`. */
export function startOfDay(value: string, days = 0): string | undefined {
  const [year, month, day] = value.split('-').map(Number);
  if (!year || !month || !day) return undefined;
  return new Date(year, month - 1, day + days).toISOString();
}

/** Returns today in the user's time zone, as the value of an `<input type="date">`. */
export const today = (): string => toLocalInput(new Date()).slice(0, 10);
