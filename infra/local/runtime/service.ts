export interface Service {
  endpoint: string;
  stop(): Promise<void>;
}

/** The platform cannot start. The one-line message states the problem and the fix. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
