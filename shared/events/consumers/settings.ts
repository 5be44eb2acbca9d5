/** Maximum changes per batch of a stream consumer. */
export const STREAM_BATCH = 500;
