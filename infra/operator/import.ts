/** `npm run import -- --from <dir>`: rebuilds a workspace from an export. See docs/export.md. */
import { useSealingKey } from '#infra/operator/rotation/useSealingKey.ts';
import { runCommand, targetOptions, UsageError, useTarget } from '#infra/operator/target/target.ts';
import { directorySource } from '#infra/operator/transfer/exportDirectory.ts';
import { parseCommand } from '#infra/settings/commandLine.ts';
import { ImportRejected, importWorkspace, parseManifest } from '#shared/domain/transfer/importWorkspace.ts';
import { secretsOfImport } from './transferSecrets.ts';

const USAGE = 'npm run import -- --from <directory> [--stack Parley | --local]';

await runCommand(async () => {
  const { values } = parseCommand(USAGE, { options: { ...targetOptions, from: { type: 'string' } } });
  const { from: directory } = values;
  if (!directory) throw new UsageError(USAGE);
  const source = directorySource(directory);
  try {
    const manifest = parseManifest(await source.manifest());
    const secrets = secretsOfImport(manifest);
    await useTarget(values);
    await useSealingKey(values);
    const say = (line: string) => process.stderr.write(`${line}\n`);
    const isNew = await importWorkspace(source, secrets, { say });
    process.stdout.write(
      isNew
        ? `${manifest.workspaceId} was imported. Search indexes and functions of deployed code are being created.\n`
        : `${manifest.workspaceId} was already imported from this export. Nothing changed.\n`,
    );
  } catch (error) {
    if (error instanceof ImportRejected) throw new UsageError(error.message);
    throw error;
  }
});
