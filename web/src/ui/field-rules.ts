import { asEmail, asPhone } from '@framelift/contract';

/** The contract's rule for email addresses. */
export const looksLikeEmail = (text: string): boolean => asEmail(text) !== null;

/** The contract's rule for phone numbers, which are optional. */
export const looksLikePhone = (text: string): boolean => asPhone(text) !== null;
