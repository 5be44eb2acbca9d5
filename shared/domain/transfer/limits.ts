/** Limit of member exports (docs/export.md#archives). Operator exports have none. */
export const ARCHIVE_LIMIT_BYTES = 50e9;
