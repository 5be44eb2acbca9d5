/** `npm run bootstrap`: creates the first administrator and publishes well-known packages. Run after upgrades. */

import { runCommand, targetOptions, UsageError, useTarget } from '#infra/operator/target/target.ts';
import { parseCommand } from '#infra/settings/commandLine.ts';
import { email as emailSchema, name as nameSchema } from '#shared/domain/admin/adminInputs.ts';
import { seedInbox } from '#shared/domain/admin/integrations/seedInbox.ts';
import { seedInterfaces } from '#shared/domain/admin/packages/seedInterfaces.ts';
import { bootstrap } from '#shared/domain/admin/workspaces/bootstrap.ts';

const USAGE = 'npm run bootstrap -- --email you@example.com --workspace Acme [--new-token] [--stack Parley | --local]';

const INBOX = {
  added: 'added to the hub',
  exists: 'is in the hub',
  taken: 'not added to the hub: another workspace publishes an integration of this name',
};

await runCommand(async () => {
  const { values } = parseCommand(USAGE, {
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
  const seeded = await seedInterfaces();
  const inbox = await seedInbox();
  const created = await bootstrap(email!, workspace!, { isTokenWanted: values['new-token'] });
  process.stdout.write(
    [
      `workspace  ${created.workspaceId}`,
      `account    ${created.accountId}`,
      created.token
        ? `token      ${created.token}   (shown only once)`
        : 'token      was shown when the account was created. To create another, add --new-token',
      `interfaces ${seeded.added.length} added to the hub${seeded.taken.length > 0 ? `; other workspaces publish ${seeded.taken.join(', ')}` : ''}`,
      `inbox      ${INBOX[inbox]}`,
      '',
    ].join('\n'),
  );
});
