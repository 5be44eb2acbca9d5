/**
 * Secrets as items hold them: encrypted with the deployment's sealing key, which only the functions that need it have
 * (docs/operations.md#secrets). Whoever reads the table, a backup or a log of its stream reads no secret.
 */
import { environment } from '#shared/environment.ts';
import { seal, unseal } from '#shared/seal.ts';

const PREFIX = 'sealed:';

export const sealText = (text: string): string => PREFIX + seal(text, environment.sealingKey);

/** @throws Error when the text is not sealed, or with another key */
export function openText(sealed: string): string {
  if (!sealed.startsWith(PREFIX)) throw new Error('A secret is stored unsealed, as by an earlier version.');
  return unseal(sealed.slice(PREFIX.length), environment.sealingKey) as string;
}

/** Seals the given values of a map; null, which removes one, stays. */
export const sealValues = <V extends string | null>(
  values: Record<string, V> | undefined,
): Record<string, V> | undefined =>
  values &&
  (Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === null ? value : sealText(value)]),
  ) as Record<string, V>);
