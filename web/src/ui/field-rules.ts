import { LIMITS } from '@framelift/contract';

/** Catches slips of the finger; whether the address is a good one is for the server to say. */
export const looksLikeEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim());

/** The contract's rule for phone numbers, which may stay empty. */
export const looksLikePhone = (text: string): boolean =>
  text.trim().length <= LIMITS.phoneLength && /^\+?[\d\s()-]*$/.test(text.trim());
