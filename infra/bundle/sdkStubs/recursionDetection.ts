/**
 * Replaces the middleware that propagates the trace header. Lambda terminates functions after about 16 invocations per
 * trace (https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html). Large deletions, imports and
 * snapshots need more, because each step enqueues the next one. Without the header, each message starts a new trace.
 */
type Next = (request: unknown) => Promise<unknown>;

export const recursionDetectionMiddleware = () => (next: Next) => next;
