import { randomBytes, timingSafeEqual } from 'node:crypto';

const VARIABLE = 'LOCAL_SECRET';

/** Access key id of the local services' clients. DynamoDB Local names its database after it. */
export const LOCAL_KEY_ID = 'S3RVER';

/**
 * Returns the secret key of the local services' clients. It is generated at each start. The environment passes it to
 * child processes, but not to deployed code.
 */
export function localSecret(): string {
  process.env[VARIABLE] ||= randomBytes(32).toString('base64url');
  return process.env[VARIABLE];
}

export const useLocalSecret = (secret: string): void => {
  process.env[VARIABLE] = secret;
};

/** Compares secrets in constant time. */
export function isSame(given: unknown, expected: unknown): boolean {
  const [left, right] = [Buffer.from(String(given)), Buffer.from(String(expected))];
  return left.length === right.length && timingSafeEqual(left, right);
}
