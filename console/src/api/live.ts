/** The interval at which live pages read again. */
export const LIVE_MS = 2_000;
