import { UsageError } from '#infra/operator/target/target.ts';
import type { Manifest } from '#shared/domain/transfer/format.ts';
import { PASSPHRASE_LENGTH, WITHOUT_SECRETS, withPassphrase } from '#shared/domain/transfer/passphrase.ts';
import type { Secrets } from '#shared/domain/transfer/secrets.ts';

const VARIABLE = 'EXPORT_PASSPHRASE';

const passphrase = (): string => {
  const { [VARIABLE]: given = '' } = process.env;
  if (given.length < PASSPHRASE_LENGTH) {
    throw new UsageError(
      `Set ${VARIABLE} to a passphrase of at least ${PASSPHRASE_LENGTH} characters to seal the secrets, or omit them with --without-secrets.`,
    );
  }
  return given;
};

export function secretsOfExport(
  workspaceId: string,
  isWithout: boolean,
): { secrets: Secrets; noted: Manifest['secrets'] } {
  if (isWithout) return { secrets: WITHOUT_SECRETS, noted: { mode: 'withheld' } };
  const { check, ...secrets } = withPassphrase(passphrase(), workspaceId);
  return { secrets, noted: { mode: 'passphrase', check } };
}

/** @throws UsageError when the passphrase is not the export's */
export function secretsOfImport({ workspaceId, secrets: noted }: Manifest): Secrets {
  if (noted.mode === 'withheld') return WITHOUT_SECRETS;
  const { check, ...secrets } = withPassphrase(passphrase(), workspaceId);
  if (check !== noted.check)
    throw new UsageError(`${VARIABLE} is not the passphrase of this export. Set the passphrase that sealed it.`);
  return secrets;
}
