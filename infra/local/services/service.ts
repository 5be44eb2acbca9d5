/** A server that the local platform starts. */
export interface Service {
  endpoint: string;
  stop(): Promise<void>;
}

/** The platform cannot start. The message says in one line what is missing and what to do about it. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
