/** An AI service throttled the request or was unavailable, in all attempts. Consumers return the job to its queue. */
export class ThrottledError extends Error {
  override readonly name = 'ThrottledError';

  /** An attempt may have reached the model, so the provider may bill it. */
  readonly mayBeBilled: boolean;

  constructor(service: string, cause: unknown, { mayBeBilled = false }: { mayBeBilled?: boolean } = {}) {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    super(`${service} is throttled or unavailable (${reason})`, { cause });
    this.mayBeBilled = mayBeBilled;
  }
}
