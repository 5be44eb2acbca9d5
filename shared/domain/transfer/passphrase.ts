/**
 * The salt and nonces are derived from the content and its location. The same secret therefore always produces the same
 * bytes, and equal secrets in different locations differ.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, scryptSync } from 'node:crypto';
import { signingSecretValue } from '#shared/domain/admin/signingSecrets.ts';
import { openText, type SealedPlace, sealText } from '#shared/storage/dynamodb/secrets/sealed.ts';
import { PORTABLE, type Secrets, WITHHELD_SECRETS } from './secrets.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** 64 MB and 0.2 s per guess. */
const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };
export const PASSPHRASE_LENGTH = 12;

export function withPassphrase(passphrase: string, workspaceId: string): Secrets & { check: string } {
  const salt = createHash('sha256').update(`parley export ${workspaceId}`).digest();
  const keys = scryptSync(passphrase, salt, 64, COST);
  const [key, nonceKey] = [keys.subarray(0, 32), keys.subarray(32)];
  const sealPortable = (text: string, place: string) => {
    const nonce = createHmac('sha256', nonceKey)
      .update(JSON.stringify([place, text]))
      .digest()
      .subarray(0, NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(place));
    const bytes = Buffer.concat([cipher.update(text), cipher.final()]);
    return PORTABLE + Buffer.concat([nonce, cipher.getAuthTag(), bytes]).toString('base64');
  };
  const openPortable = (portable: string, place: string) => {
    const bytes = Buffer.from(portable.slice(PORTABLE.length), 'base64');
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(place));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString();
  };
  return {
    export: (text, { path, sealed }) => sealPortable(openText(text, sealed), path),
    import: (portable, { path, sealed }) => sealText(openPortable(portable, path), sealed),
    // Detects a wrong passphrase before the import writes anything.
    check: sealPortable('parley', 'check'),
  };
}

/** Withholds secrets on export. An import creates new keys and empty secrets and configurations. */
export const WITHOUT_SECRETS: Secrets = {
  ...WITHHELD_SECRETS,
  import: (_, { sealed }) => sealText(substituteFor(sealed.field), sealed),
};

function substituteFor(field: SealedPlace['field']): string {
  if (field === 'encryptionKey') return randomBytes(24).toString('base64url');
  if (field === 'signingSecrets') return signingSecretValue();
  if (field === 'settings') return JSON.stringify({ configuration: { data: {} }, installations: {}, plugins: {} });
  return '';
}
