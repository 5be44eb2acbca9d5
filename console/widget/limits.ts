/** Limits of the platform that the widget tells its users before they meet them. */

/** A file of a chat user. */
export const LARGEST_FILE_BYTES = 25 * 1024 * 1024;
