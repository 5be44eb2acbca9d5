/**
 * The largest archive of an export that a member asks for (docs/export.md#archives); an operator's command has no
 * limit.
 */
export const ARCHIVE_LIMIT_BYTES = 50e9;
