/** The byte order mark tells spreadsheets that the text is UTF-8. Lines end as in RFC 4180. */
const MARK = '\uFEFF';
const END = '\r\n';

/** Start of a formula, also in full width and after spaces, as some spreadsheets read it. */
const FORMULA = /^(\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/;

type Value = string | number | boolean | null;

/** A leading ' keeps spreadsheets from running text of strangers as a formula. */
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
