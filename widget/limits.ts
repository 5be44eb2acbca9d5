/** Platform limits that the widget checks in advance. */

/** Maximum size of a chat user's file. */
export const MAX_FILE_BYTES = 25 * 1024 * 1024;
