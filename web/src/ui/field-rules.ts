import { LIMITS } from '@framelift/contract';

/** Catches typing errors; the server decides whether the address is valid. */
export const looksLikeEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim());

/** The contract's rule for phone numbers, which are optional. */
export const looksLikePhone = (text: string): boolean =>
  text.trim().length <= LIMITS.phoneLength && /^\+?[\d\s()-]*$/.test(text.trim());
