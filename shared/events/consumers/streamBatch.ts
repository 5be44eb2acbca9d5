export const STREAM_BATCH = 500;
