import { ANY_TYPE, uniquePaths } from '#shared/domain/admin/secretFields.ts';
import type { Integration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import type { SecretPath } from '#shared/storage/dynamodb/secrets/secretPaths.ts';

/** Each of these keys gives access to every chat user. */
const KEYS: readonly SecretPath[] = [['encryptionKey'], ['adminSecret']];

export const installationSecrets = (
  { configurationType, secretPaths = [] }: { configurationType: string | null; secretPaths?: SecretPath[] | undefined },
  integration: Integration | undefined,
): SecretPath[] =>
  uniquePaths([
    ...KEYS,
    ...secretPaths,
    ...(integration?.secretPaths ?? [])
      .filter(({ type }) => type === configurationType || type === ANY_TYPE)
      .flatMap(({ paths }) => paths),
  ]);
