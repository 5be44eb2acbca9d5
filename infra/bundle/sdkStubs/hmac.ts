/** Replaces the HMAC implementation of `standardwebhooks` with Node's. Saves 6 KB per bundle that signs. */
import { createHmac } from 'node:crypto';

export const hmac = (key: Uint8Array, data: Uint8Array): Uint8Array => createHmac('sha256', key).update(data).digest();
