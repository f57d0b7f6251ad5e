import sharp from 'sharp';

export interface ShrinkFiles {
  readonly path: string;
  readonly outPath: string;
  /** Pixels of the longer side at most. A smaller picture keeps its size. */
  readonly longest: number;
  /** `depth` writes a PNG in which every value is one of the picture: none between near and far. Colour is a JPEG. */
  readonly kind: 'colour' | 'depth';
}

/** Writes a smaller copy of a picture that the engine has written. */
export async function shrink({ path, outPath, longest, kind }: ShrinkFiles): Promise<void> {
  const size = { width: longest, height: longest, fit: 'inside', withoutEnlargement: true } as const;
  if (kind === 'colour') await sharp(path).resize(size).jpeg({ quality: 80 }).toFile(outPath);
  else
    await sharp(path)
      .resize({ ...size, kernel: 'nearest' })
      .toColourspace('b-w')
      .png()
      .toFile(outPath);
}
