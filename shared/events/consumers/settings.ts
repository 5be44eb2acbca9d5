/** Changes of the table that a stream consumer gets at once: as many as wait, up to so many. */
export const STREAM_BATCH = 500;
