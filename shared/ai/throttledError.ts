/**
 * An AI service asked to retry later, or was unavailable, through all attempts. The request itself is fine: consumers return
 * their job to its queue.
 */
export class ThrottledError extends Error {
  override readonly name = 'ThrottledError';

  constructor(service: string, cause: unknown) {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    super(`${service} asks to come back later (${reason})`, { cause });
  }
}
