import sharp from 'sharp';

/*
 * libvips can also load SVG, TIFF, GIF, PDF and more, each with a history of vulnerabilities. Uploads reach only the
 * four loaders below, whatever type a file claims to be. The setting is global to the process, so it is made once,
 * here.
 */
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif'],
});
// A conversion decodes each picture once, so a cache would only waste memory.
sharp.cache(false);

/**
 * Options for untrusted bytes. `warning` rejects damaged pixel data (a truncated scan, a bad checksum); libvips
 * tolerates damaged EXIF, XMP and colour profiles at every level. The size is checked separately from the header (see
 * limits.ts), with a message that names the limits.
 */
export const UNTRUSTED = { failOn: 'warning', limitInputPixels: false, pages: 1 } as const;

export { sharp };
