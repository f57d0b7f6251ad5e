import sharp from 'sharp';

export interface RasterizeFiles {
  /** A drawing of this program: never a file of a user, which could refer to others. */
  readonly svg: string;
  readonly outPath: string;
  /** `depth` writes a grey PNG, `colour` a JPEG. */
  readonly kind: 'colour' | 'depth';
}

const READER = { operation: ['VipsForeignLoadSvg'] };

/** Writes a drawing as a picture of the size that it states. */
export async function rasterize({ svg, outPath, kind }: RasterizeFiles): Promise<void> {
  // Drawings are no format of uploads. A process has one call at a time: none is decoded meanwhile.
  sharp.unblock(READER);
  try {
    const picture = sharp(Buffer.from(svg)).flatten({ background: '#000' });
    if (kind === 'colour') await picture.jpeg({ quality: 92, chromaSubsampling: '4:4:4' }).toFile(outPath);
    else await picture.toColourspace('b-w').png().toFile(outPath);
  } finally {
    sharp.block(READER);
  }
}
