/** A time as `<input type="datetime-local">` has it, in the reader's zone. */
export function toLocalInput(time: string | Date): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** What such a field holds as UTC, null while it is empty or half filled in. */
export function fromLocalInput(value: string): string | null {
  const date = new Date(value);
  return value === '' || Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** Begin of a day in the reader's zone, `days` after the one that `<input type="date">` holds. */
export function startOfDay(value: string, days = 0): string | undefined {
  const [year, month, day] = value.split('-').map(Number);
  if (!year || !month || !day) return undefined;
  return new Date(year, month - 1, day + days).toISOString();
}

/** This day in the reader's zone, as `<input type="date">` has it. */
export const today = (): string => toLocalInput(new Date()).slice(0, 10);
