/** `npm run hub`: adds integrations of the public repository to the hub. See docs/connect-a-channel.md. */
import { startRelay } from '#infra/local/services/startRelay.ts';
import { useSealingKey } from '#infra/operator/rotation/useSealingKey.ts';
import {
  findAddresses,
  findWebhookBase,
  runCommand,
  targetOptions,
  UsageError,
  useTarget,
} from '#infra/operator/target/target.ts';
import { parseCommand } from '#infra/settings/commandLine.ts';
import { hubDirectory } from '#infra/settings/stateDirectory.ts';
import { addAll } from './addAll.ts';
import { chooseSources, readCatalog } from './catalog.ts';
import { listHub, outdated } from './listHub.ts';
import { openWorkspace } from './operatorWorkspace.ts';
import { readSecrets, requireKnown } from './secretValues.ts';
import { showLogs } from './showLogs.ts';

const USAGE = `npm run hub -- add telegram slack … | --all   adds integrations, or updates them
npm run hub -- update [telegram …]            updates those that differ from the clone
npm run hub -- list                           shows the integrations of the clone and of the hub
npm run hub -- logs telegram …                shows the log of the last hour
with --from <clone of https://github.com/botpress/botpress>, or REPOSITORY
     [--secrets <file>] [--workspace wkspace_…] [--stack Parley | --local]`;

const COMMANDS = ['add', 'update', 'list', 'logs'];
const say = (line: string) => void process.stdout.write(`${line}\n`);

await runCommand(async () => {
  const { values, positionals } = parseCommand(USAGE, {
    allowPositionals: true,
    options: {
      ...targetOptions,
      all: { type: 'boolean', default: false },
      from: { type: 'string', default: process.env.REPOSITORY },
      secrets: { type: 'string' },
      workspace: { type: 'string' },
    },
  });
  const [command = '', ...names] = positionals;
  const isSelective = command === 'add' || command === 'logs';
  const hasSelection = !isSelective || (values.all ? names.length === 0 : names.length > 0);
  if (!COMMANDS.includes(command) || !hasSelection || (command === 'list' && names.length > 0)) {
    throw new UsageError(USAGE);
  }
  const catalog = readCatalog(values.from, hubDirectory);
  const named = chooseSources(catalog.sources, names);
  await useTarget(values);
  if (command === 'list') return say(await listHub(catalog));
  if (command === 'logs') return say(await showLogs(names.length > 0 ? named : catalog.sources));
  await useSealingKey(values);
  const sources = names.length > 0 ? named : catalog.sources;
  const chosen = command === 'update' ? await outdated(sources, names.length > 0) : sources;
  if (chosen.length === 0) return say('The hub has the integrations of the clone. Nothing to update.');
  const secrets = values.secrets === undefined ? {} : readSecrets(values.secrets, names);
  requireKnown(secrets, catalog.sources);
  const { apiBaseUrl } = await findAddresses(values);
  const webhookBase = await findWebhookBase(values);
  const workspace = await openWorkspace(apiBaseUrl, values.workspace);
  const relay = await startRelay(apiBaseUrl, 0);
  process.once('SIGINT', async () => {
    say('Interrupted. The same command continues after the last deployed integration.');
    await workspace.close();
    process.exit(130);
  });
  try {
    const destination = { apiUrl: apiBaseUrl, relayUrl: relay.endpoint, workspace };
    const isAsked = process.stdin.isTTY && !values.all && values.secrets === undefined;
    const run = { repository: values.from!, catalog, sources: chosen, secrets, isAsked, say };
    const { failed, notes } = await addAll(destination, run);
    say(`\n${[...notes(webhookBase), ...failed].join('\n').trim()}`);
    if (failed.length > 0) process.exitCode = 1;
  } finally {
    await workspace.close();
    await relay.stop();
  }
});
