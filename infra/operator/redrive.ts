/** `npm run redrive`: lists, shows and retries dead letters. */

import { runCommand, targetOptions, UsageError, useTarget } from '#infra/operator/target/target.ts';
import { parseCommand } from '#infra/settings/commandLine.ts';
import { clock } from '#shared/core/clock.ts';
import { redrive } from '#shared/domain/admin/redriveDeadLetters.ts';
import {
  type DeadLetter,
  findDeadLetter,
  listAllDeadLetters,
  listDeadLettersOf,
} from '#shared/storage/dynamodb/maintenance/deadLetters.ts';
import { getObject } from '#shared/storage/s3/objects.ts';

const USAGE = `npm run redrive -- list [--tenant <id>]           lists dead letters, oldest first
npm run redrive -- show --tenant <id> --id <id>    shows one in full: the change with its images, or the job, and the error
npm run redrive -- run [--tenant <id>] [--id <id>]  retries them
with [--stack Parley | --local]`;

const say = (text: string) => process.stdout.write(`${text}\n`);
const list = (tenant: string | undefined) => (tenant ? listDeadLettersOf(tenant) : listAllDeadLetters());

const line = ({ id, tenant, task, about, error, parkedAtMs, failures }: DeadLetter) =>
  [new Date(parkedAtMs).toISOString(), tenant, id, task, about ?? '-', `${failures} retries failed`, error].join('\t');

async function show(tenant: string, id: string): Promise<void> {
  const letter = await findDeadLetter(tenant, id);
  if (!letter)
    throw new UsageError(`Tenant ${tenant} has no dead letter ${id}. List them with npm run redrive -- list.`);
  say(line(letter));
  say(JSON.stringify(JSON.parse(Buffer.from(await getObject(letter.object)).toString()), null, 2));
}

async function run(tenant: string | undefined, id: string | undefined): Promise<number> {
  const nowMs = clock.now();
  if (tenant && id) return (await redrive(tenant, { ids: [id], nowMs })).redriven;
  const tenants = new Set<string>(tenant ? [tenant] : []);
  if (!tenant) for await (const { record } of list(undefined)) tenants.add(record.tenant);
  let count = 0;
  for (const each of tenants) {
    let after: string | undefined;
    do {
      const { redriven, next } = await redrive(each, { after, nowMs });
      count += redriven;
      after = next;
    } while (after);
  }
  return count;
}

await runCommand(async () => {
  const { values, positionals } = parseCommand(USAGE, {
    options: { ...targetOptions, tenant: { type: 'string' }, id: { type: 'string' } },
    allowPositionals: true,
  });
  const { tenant, id } = values;
  const [command, ...rest] = positionals;
  const isComplete = command === 'list' || (command === 'show' ? tenant && id : command === 'run' && (tenant || !id));
  if (!isComplete || rest.length > 0) throw new UsageError(USAGE);
  await useTarget(values);
  if (command === 'show') await show(tenant!, id!);
  else if (command === 'run') say(`${await run(tenant, id)} dead letters are being retried. Those that fail remain.`);
  else for await (const { record } of list(tenant)) say(line(record));
});
