import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

let last: { secret: string; key: Buffer } | undefined;

function keyOf(secret: string): Buffer {
  if (last?.secret !== secret) last = { secret, key: Buffer.from(hkdfSync('sha256', secret, '', 'parley', 32)) };
  return last.key;
}

/** Encrypts a value with AES-256-GCM, in base64. `boundTo` is additional authenticated data. */
export function seal(value: unknown, secret: string, boundTo = ''): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyOf(secret), nonce).setAAD(Buffer.from(boundTo));
  const encrypted = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64');
}

/** @throws Error when the value was sealed with another secret or `boundTo` */
export function unseal(sealed: string, secret: string, boundTo = ''): unknown {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(ALGORITHM, keyOf(secret), bytes.subarray(0, NONCE_BYTES)).setAAD(
    Buffer.from(boundTo),
  );
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  return JSON.parse(text.toString());
}
