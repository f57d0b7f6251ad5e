import sharp from 'sharp';

/*
 * libvips would open SVG, TIFF, GIF, PDF and more, each with its own history of faults. Uploads reach only the four
 * loaders below, whatever a file claims to be. The setting is global to the process, so it is made once, here.
 */
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif'],
});
// A conversion decodes each picture once: a cache would only hold memory.
sharp.cache(false);

/**
 * Options for bytes that come from outside. `warning` stops at damaged pixels (a truncated scan, a bad checksum of the
 * picture data), while libvips survives damaged EXIF, XMP and colour profiles at every level. Size is judged from
 * the header by us (see limits.ts), with a message that names the limits.
 */
export const UNTRUSTED = { failOn: 'warning', limitInputPixels: false, pages: 1 } as const;

export { sharp };
