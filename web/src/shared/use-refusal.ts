import type { CallError } from '@framelift/contract';
import { useState } from 'react';
import { isCallError } from '../api/client.ts';

/**
 * Keeps the server's refusal of a form for as long as its fields are those that were refused; the toast of a refusal is
 * gone after two seconds. A call without a response refused nothing, and a 401 ends the session.
 * @param fields current values of the form
 * @returns the refusal of these values, and a function that sets it from the error of a call, or clears it with null
 */
export function useRefusal(fields: unknown): readonly [refusal: CallError | null, refuse: (error: unknown) => void] {
  const [refused, setRefused] = useState<{ readonly error: CallError; readonly fields: string } | null>(null);
  const now = JSON.stringify(fields);
  const refuse = (error: unknown) =>
    setRefused(isCallError(error) && error.status !== 0 && error.status !== 401 ? { error, fields: now } : null);
  return [refused?.fields === now ? refused.error : null, refuse];
}
