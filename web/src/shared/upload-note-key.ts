/** Where a tab stores its upload note: a file of its own, because the code of the note is loaded where there is one. */
export const UPLOAD_NOTE_KEY = 'upload';
