import { ANY_TYPE, uniquePaths } from '#shared/domain/admin/secretFields.ts';
import type { Integration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import type { SecretPath } from '#shared/storage/dynamodb/secrets/secretPaths.ts';

/** The first two give access to every chat user, the last authenticates calls of the outgoing webhook. */
const KEYS: readonly SecretPath[] = [['encryptionKey'], ['adminSecret'], ['webhookSecret']];

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
