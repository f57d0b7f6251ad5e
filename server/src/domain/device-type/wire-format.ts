/** Notation of the specification: `ratio` is 'width,height', but `extendResolution` is 'height,width'. */

export function formatRatio([width, height]: readonly [number, number]): string {
  return `${width},${height}`;
}

export function parseRatio(ratio: string): [width: number, height: number] {
  return twoNumbers(ratio);
}

export function formatExtendResolution({ width, height }: { readonly width: number; readonly height: number }): string {
  return `${height},${width}`;
}

export function parseExtendResolution(extendResolution: string): { width: number; height: number } {
  const [height, width] = twoNumbers(extendResolution);
  return { width, height };
}

function twoNumbers(text: string): [number, number] {
  const match = /^([1-9]\d{0,4}),([1-9]\d{0,4})$/.exec(text);
  if (!match) throw new Error(`Not two numbers: ${JSON.stringify(text)}`);
  return [Number(match[1]), Number(match[2])];
}
