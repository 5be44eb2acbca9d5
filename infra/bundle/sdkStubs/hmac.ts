/**
 * Replaces an HMAC in JavaScript, which `standardwebhooks` carries for platforms without Node's: 6 KB of a bundle that
 * signs.
 */
import { createHmac } from 'node:crypto';

export const hmac = (key: Uint8Array, data: Uint8Array): Uint8Array => createHmac('sha256', key).update(data).digest();
