/**
 * An AI service asked to retry later, or was unavailable, through all attempts. The request itself is fine: consumers
 * return their job to its queue.
 */
export class ThrottledError extends Error {
  override readonly name = 'ThrottledError';

  /** Whether an attempt may have reached the model, so that the provider may bill it. */
  readonly mayBeBilled: boolean;

  constructor(service: string, cause: unknown, { mayBeBilled = false }: { mayBeBilled?: boolean } = {}) {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    super(`${service} asks to come back later (${reason})`, { cause });
    this.mayBeBilled = mayBeBilled;
  }
}
