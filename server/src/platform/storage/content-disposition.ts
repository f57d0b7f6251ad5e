/**
 * Returns a Content-Disposition for any UTF-8 name (RFC 6266): an ASCII fallback, and the real name in RFC 5987 form.
 * Controls are left out, those of the writing direction included: saved names show them as another extension.
 */
export function contentDisposition(given: string, inline = false): string {
  const name = given.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '');
  const fallback = name.replace(/[^\x20-\x7e]|["\\%/;]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${inline ? 'inline' : 'attachment'}; filename="${fallback}"; filename*=UTF-8''${encoded}`;
}
