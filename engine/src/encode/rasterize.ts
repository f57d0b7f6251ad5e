import sharp from 'sharp';

export interface RasterizeFiles {
  /** A drawing of this program: never a file of a user, which could refer to others. */
  readonly svg: string;
  readonly outPath: string;
  /** Pixels for each unit of the drawing. */
  readonly scale: number;
  /** `depth` writes a grey PNG, `colour` a JPEG. */
  readonly kind: 'colour' | 'depth';
}

/** Pixels per inch at which a unit of a drawing is a pixel. */
const DENSITY = 72;
const READER = { operation: ['VipsForeignLoadSvg'] };

/** Writes a drawing as a picture. */
export async function rasterize({ svg, outPath, scale, kind }: RasterizeFiles): Promise<void> {
  // Drawings are no format of uploads. A process has one call at a time: none is decoded meanwhile.
  sharp.unblock(READER);
  try {
    const picture = sharp(Buffer.from(svg), { density: DENSITY * scale }).flatten({ background: '#000' });
    if (kind === 'colour') await picture.jpeg({ quality: 92, chromaSubsampling: '4:4:4' }).toFile(outPath);
    else await picture.toColourspace('b-w').png().toFile(outPath);
  } finally {
    sharp.block(READER);
  }
}
