/** Lines end as RFC 4180 says; the mark at the start tells spreadsheets that the text is UTF-8. */
const MARK = '\uFEFF';
const END = '\r\n';

/** What begins a formula, also in the full width in which some spreadsheets read it, behind spaces and alone. */
const FORMULA = /^(\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/;

type Value = string | number | boolean | null;

/**
 * One value. A text that a spreadsheet would take for a formula gets a ' before it, which shows it as text: names are
 * what strangers typed.
 */
function cell(value: Value): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of a CSV file. */
export function csvLine(values: readonly Value[]): string {
  return values.map(cell).join(',') + END;
}

/** The first line, with the names of the columns. */
export function csvHead(names: readonly string[]): string {
  return MARK + csvLine(names);
}
