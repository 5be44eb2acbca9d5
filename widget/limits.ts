/** Platform limits that the widget checks in advance. */

/** Maximum size of a chat user's file. */
export const MAX_FILE_BYTES = 25 * 1024 * 1024;

export const MAX_TEXT_LENGTH = 10_000;

/** Of a user's fields and attributes. */
export const USER_LIMITS = { name: 1_000, pictureUrl: 20_000, attributes: 50, attributeName: 100, attribute: 500 };
