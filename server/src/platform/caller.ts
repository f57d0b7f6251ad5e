import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The network of the caller of the running request, for queues that take turns between callers. Not an argument of the
 * verbs: it decides when their work is done, never what it does.
 */
export const callerNetwork = new AsyncLocalStorage<string>();
