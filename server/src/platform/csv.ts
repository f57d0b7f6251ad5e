/** A byte order mark, which tells spreadsheets that the text is UTF-8. Line ends follow RFC 4180. */
const MARK = '\uFEFF';
const END = '\r\n';

/** Start of a formula, also in full-width characters and after spaces, as some spreadsheets accept it. */
const FORMULA = /^(\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/;

type Value = string | number | boolean | null;

/** Escapes a value. A leading ' prevents spreadsheets from executing user input as a formula. */
function cell(value: Value): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvLine(values: readonly Value[]): string {
  return values.map(cell).join(',') + END;
}

export function csvHead(names: readonly string[]): string {
  return MARK + csvLine(names);
}
