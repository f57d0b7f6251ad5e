/** Markup of the few pages that the server writes itself. */

/** Markup that needs no escaping. */
class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Html = Markup;
type Part = string | number | Html | readonly Html[];

/** Template tag that escapes every value except `Html`. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return markup(strings.reduce((text, string, position) => text + print(parts[position - 1]) + string));
}

function print(part: Part | undefined): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map((item) => item.text).join('');
  return String(part ?? '').replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Marks a text as markup. Never a text from outside. */
export function markup(text: string): Html {
  return new Markup(text);
}
