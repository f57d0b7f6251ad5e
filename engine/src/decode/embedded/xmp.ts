import { APP1, hasText, segmentsOf } from '../../formats/jpeg.ts';

const STANDARD = 'http://ns.adobe.com/xap/1.0/\0';
const EXTENSION = 'http://ns.adobe.com/xmp/extension/\0';
const GUID_LENGTH = 32;
/** Largest extended XMP that is assembled, in bytes; depth maps take a few hundred kilobytes. */
const MAX_EXTENSION = 48 * 1024 * 1024;
/** Limit on prefixes per namespace; the whole text is searched for each. */
const MAX_PREFIXES = 4;
const NOTE = 'http://ns.adobe.com/xmp/note/';

/**
 * Reads the XMP of the JPEG that starts at `from` as text: the packet and its extension. An extension is split over
 * several segments of up to 64 KB (XMP specification, part 3, 1.1.3.1). Parts are placed at their stated offsets, in
 * any order; an extension with a gap is left out.
 */
export function readXmp(bytes: Uint8Array, from = 0): { packet: string; extension: string } {
  const parts = segmentsOf(bytes, from).filter(({ marker }) => marker === APP1);
  const standard = parts.find(({ start }) => hasText(bytes, start, STANDARD));
  if (!standard) return { packet: '', extension: '' };
  const packet = text(bytes.subarray(standard.start + STANDARD.length, standard.end));
  const guid = property(packet, NOTE, 'HasExtendedXMP');
  if (guid?.length !== GUID_LENGTH) return { packet, extension: '' };

  const marked = EXTENSION + guid;
  let whole: Uint8Array | null = null;
  let missing = 0;
  for (const { start, end } of parts) {
    const body = start + marked.length + 8;
    if (body > end || !hasText(bytes, start, marked)) continue;
    const length = wordAt(bytes, body - 8);
    const offset = wordAt(bytes, body - 4);
    // Never longer than the file: a false length must not allocate memory.
    if (length > Math.min(MAX_EXTENSION, bytes.length)) break;
    if (whole === null) {
      whole = new Uint8Array(length);
      missing = length;
    }
    if (length !== whole.length || offset + end - body > length) return { packet, extension: '' };
    whole.set(bytes.subarray(body, end), offset);
    missing -= end - body;
  }
  return { packet, extension: whole && missing === 0 ? text(whole) : '' };
}

/**
 * Returns the value of a simple property, written as an attribute or an element, or null when absent. It is looked up
 * by namespace URI, because a writer may choose the prefix.
 */
export function property(xmp: string, namespace: string, name: string): string | null {
  const prefixes = new Set<string>();
  for (const [, prefix, address] of xmp.matchAll(/xmlns:([\w.-]{1,64})\s{0,8}=\s{0,8}["']([^"'<>]{1,200})["']/g)) {
    if (address !== namespace || prefixes.has(prefix as string) || prefixes.size === MAX_PREFIXES) continue;
    prefixes.add(prefix as string);
    const value = textOf(xmp, `${prefix}:${name}`);
    if (value !== null) return value;
  }
  return null;
}

/**
 * Returns the value of the first `name="…"` or `<name>…</name>`. Uses no regular expression: the value may be megabytes
 * long.
 */
function textOf(xmp: string, name: string): string | null {
  for (let at = xmp.indexOf(name); at >= 0; at = xmp.indexOf(name, at + name.length)) {
    const after = xmp.slice(at + name.length, at + name.length + 16);
    const opening = /^\s*(=\s*["']|>)/.exec(after)?.[0];
    if (opening === undefined) continue;
    const start = at + name.length + opening.length;
    const end = xmp.indexOf(opening.endsWith('>') ? '<' : (opening.at(-1) as string), start);
    if (end >= 0) return xmp.slice(start, end).trim();
  }
  return null;
}

export function numberOf(value: string | null): number | null {
  const number = value === null || value === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}

/** Returns the attributes, by local name, of every tag that has an attribute `marker`. */
export function tagsWith(xmp: string, marker: string): ReadonlyMap<string, string>[] {
  const tags: ReadonlyMap<string, string>[] = [];
  for (const [tag] of xmp.matchAll(/<[^<>]+>/g)) {
    if (!tag.includes(`:${marker}`)) continue;
    const pairs = tag.matchAll(/[\w.-]{1,64}:([\w.-]{1,64})\s{0,8}=\s{0,8}(?:"([^"]{0,400})"|'([^']{0,400})')/g);
    const attributes = new Map([...pairs].map(([, name, double, single]) => [name as string, double ?? single ?? '']));
    if (attributes.has(marker)) tags.push(attributes);
  }
  return tags;
}

/** Decodes as Latin-1: the names and numbers of interest are ASCII. */
function text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function wordAt(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at);
}
