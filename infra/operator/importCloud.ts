/** `npm run import:cloud`: exports a workspace of Botpress Cloud for `npm run import`. See docs/export.md#cloud. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { runCommand, UsageError } from '#infra/operator/target/target.ts';
import { parseCommand } from '#infra/settings/commandLine.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { cloudClient } from './cloud/cloudClient.ts';
import { workspaceIdOf } from './cloud/cloudIds.ts';
import { readWorkspace } from './cloud/readWorkspace.ts';
import { secretsOfExport } from './transferSecrets.ts';

const USAGE =
  'npm run import:cloud -- --token-file <file> --workspace wkspace_… [--bot <id>]… --to <directory> [--api https://api.botpress.cloud]';
const CLOUD = 'https://api.botpress.cloud';

await runCommand(async () => {
  const { values } = parseCommand(
    USAGE,
    {
      options: {
        'token-file': { type: 'string' },
        workspace: { type: 'string' },
        bot: { type: 'string', multiple: true, default: [] },
        to: { type: 'string' },
        api: { type: 'string', default: CLOUD },
      },
    },
    'none',
  );
  const { 'token-file': tokenFile, workspace: cloudId, bot: bots, to: directory, api: apiUrl } = values;
  if (!tokenFile || !cloudId || !directory) throw new UsageError(USAGE);
  const token = await readFile(tokenFile, 'utf8').then(
    text => text.trim(),
    () => {
      throw new UsageError(`Cannot read ${tokenFile}. The file must contain only a personal access token.`);
    },
  );
  const { secrets, noted } = secretsOfExport(workspaceIdOf(cloudId), false);
  // The export's passphrase replaces this key. No installation uses it.
  process.env[VARIABLES.sealingKey] = randomBytes(36).toString('base64url');
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const access = { apiUrl, token, say };
  const client = cloudClient(access, { workspaceId: cloudId });
  const report = await readWorkspace({ access, client, cloudId, bots, directory, secrets, noted });
  process.stdout.write(`${report.join('\n')}\n`);
});
