/**
 * `npm run console -- --email you@example.com`: prints a single-use link that signs an administrator in to the console.
 * The token is in the fragment, which browsers send to no server. The console exchanges it for a session.
 */
import { DEMO_EMAIL } from '#infra/local/demo.ts';
import { findConsole, runCommand, targetOptions, UsageError, useTarget } from '#infra/operator/target/target.ts';
import { parseCommand } from '#infra/settings/commandLine.ts';
import { clock } from '#shared/core/clock.ts';
import { email as emailSchema } from '#shared/domain/admin/adminInputs.ts';
import { createLinkToken } from '#shared/domain/admin/linkToken.ts';

const HOURS = 8;
const MAX_HOURS = 24;
const USAGE = `npm run console -- --email you@example.com [--hours ${HOURS}] [--stack Parley | --local]`;

await runCommand(async () => {
  const { values } = parseCommand(USAGE, {
    options: { ...targetOptions, email: { type: 'string' }, hours: { type: 'string' } },
  });
  const email = values.email ?? (values.local ? DEMO_EMAIL : undefined);
  const hours = Number(values.hours ?? HOURS);
  if (!emailSchema().safeParse(email).success) throw new UsageError(USAGE);
  if (!(hours > 0 && hours <= MAX_HOURS)) throw new UsageError(`--hours must be more than 0 and at most ${MAX_HOURS}.`);
  await useTarget(values);
  const url = await findConsole(values);
  const token = await createLinkToken(email!, clock.now() + hours * 3_600_000);
  if (!token) throw new UsageError(`${email} is not an administrator. Run npm run bootstrap with this address first.`);
  process.stdout.write(
    `${url}#token=${token}\n\nThe link signs ${email} in once. It expires in ${hours} ${hours === 1 ? 'hour' : 'hours'}.\n`,
  );
});
