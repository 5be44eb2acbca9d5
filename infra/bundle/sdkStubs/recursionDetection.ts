/**
 * Replaces the middleware that propagates the trace header of an invocation. Lambda counts invocations per trace, and
 * terminates a function after about 16 (https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html). Large
 * deletions, imports and snapshots need more: each step enqueues the next one in the same queue. Without the header,
 * each message starts a new trace.
 */
type Next = (request: unknown) => Promise<unknown>;

export const recursionDetectionMiddleware = () => (next: Next) => next;
