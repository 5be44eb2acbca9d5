/**
 * Replaces Base64 in JavaScript, which `standardwebhooks` carries for platforms without Node's: 4 KB of a bundle that
 * signs.
 */
export const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

export const decode = (text: string): Uint8Array => Buffer.from(text, 'base64');
