/** `npm run bootstrap -- --email you@example.com --workspace Acme`: the first administrator of a platform. */
import { parseArgs } from 'node:util';
import { bootstrap } from '#shared/admin/bootstrap.ts';
import { email as emailSchema, name as nameSchema } from '#shared/admin/inputs.ts';
import { runCommand, targetOptions, UsageError, useTarget } from './target.ts';

const USAGE = 'npm run bootstrap -- --email you@example.com --workspace Acme [--new-token] [--stack Parley | --local]';

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      ...targetOptions,
      email: { type: 'string' },
      workspace: { type: 'string' },
      'new-token': { type: 'boolean', default: false },
    },
  });
  const { email, workspace } = values;
  if (!emailSchema().safeParse(email).success || !nameSchema().safeParse(workspace).success)
    throw new UsageError(USAGE);
  await useTarget(values);
  const made = await bootstrap(email!, workspace!, { isTokenWanted: values['new-token'] });
  process.stdout.write(
    [
      `workspace  ${made.workspaceId}`,
      `account    ${made.accountId}`,
      made.token
        ? `token      ${made.token}   (shown this once)`
        : 'token      was shown when the account was made; --new-token makes another',
      '',
    ].join('\n'),
  );
});
