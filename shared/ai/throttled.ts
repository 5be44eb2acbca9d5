/**
 * A service that embeds or keeps vectors asks to come back later, or is away for the moment, and still was after several
 * attempts. Nothing is wrong with the request: whoever has a queue puts it back.
 */
export class Throttled extends Error {
  override readonly name = 'Throttled';

  constructor(service: string, cause: unknown) {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    super(`${service} asks to come back later (${reason})`, { cause });
  }
}
