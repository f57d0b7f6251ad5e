/** Returns the index within 0 and count − 1; 0 for an empty carousel. */
export const carouselIndex = (index: number, count: number): number => Math.max(0, Math.min(index, count - 1));
