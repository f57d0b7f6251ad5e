/** Digits to which numbers in names are padded, so that 2 comes before 10. */
const DIGITS = 10;
/** Code points of a sort key; a cursor contains one. Names that are equal so far are sorted by id. */
const SORT_LENGTH = 100;

/** Returns a name or a part of one without differences of case and of full or half width (NFKC). */
export function searchForm(name: string): string {
  return name.normalize('NFKC').toLowerCase().normalize('NFKC');
}

/** Returns the derived columns of a media's name. */
export function nameKeys(name: string): { readonly searchName: string; readonly sortName: string } {
  const searchName = searchForm(name);
  const padded = searchName.replace(/\d+/g, (digits) => digits.padStart(DIGITS, '0'));
  return { searchName, sortName: [...padded].slice(0, SORT_LENGTH).join('') };
}
