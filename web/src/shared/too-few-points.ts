const CODES = ['notEnoughPoints', 'notEnoughFreePoints'];

/** Whether a refusal is one for too few points, of which more can be bought. */
export const isTooFewPoints = (code: string): boolean => CODES.includes(code);
