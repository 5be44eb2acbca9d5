/** Deploys a package and tries what it does without its provider. */
import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MissingDependency, SourcePackage } from '#infra/hub/buildSources.ts';
import { shortened } from '#infra/hub/commandLine.ts';
import type { LocalFile } from '#infra/local/demo.ts';
import { type Bp, BUNDLE, bpDependenciesOf, type Definition, type Deployed, deployPackage } from './deployPackage.ts';
import { placeholder } from './placeholder.ts';
import { isOwnReason } from './reasons.ts';
import type { Outcome, Results, Step } from './results.ts';

// The ES modules of these packages are built for browsers and do not load in Node.
const load = createRequire(import.meta.url);
const { Client }: typeof import('@botpress/client') = load('@botpress/client');
const chat: typeof import('@botpress/chat') = load('@botpress/chat');

export interface Platform {
  local: LocalFile;
  relayUrl: string;
  folder: string;
  bp: Bp;
  missing: readonly MissingDependency[];
  results: Results;
}

type Owner = InstanceType<typeof Client>;
type Bot = Awaited<ReturnType<Owner['getBot']>>['bot'];
type Installation = Bot['integrations'][string];

const REPLY_MS = 15_000;
const ROLLOUT_MS = 60_000;

export async function tryPackage(platform: Platform, source: SourcePackage): Promise<Outcome> {
  const startedAt = performance.now();
  const { apiUrl, workspaceId, tokens } = platform.local;
  const owner = new Client({ apiUrl, workspaceId, token: tokens.owner });
  const outcome = await (source.kind === 'bot' ? tryBot : tryOther)(platform, owner, source);
  return { ...outcome, seconds: Math.round((performance.now() - startedAt) / 1000) };
}

async function tryOther(platform: Platform, owner: Owner, source: SourcePackage): Promise<Outcome> {
  const deployed = await deployPackage(platform, source, []);
  if (source.kind !== 'integration' || !deployed.definition) return deployed.outcome;
  const { steps } = deployed.outcome;
  const installation = await install(owner, deployed.definition);
  if (typeof installation === 'string') {
    steps.registered = { result: 'failed', detail: installation };
    return deployed.outcome;
  }
  const registered = await reported(platform, source.path, registrationOf(installation));
  steps.registered = isUnexplained(registered) ? await explained(owner, installation.id, registered) : registered;
  steps.rolledOut = isRunning(installation) ? { result: 'yes' } : steps.registered;
  return deployed.outcome;
}

/** Installs an integration in a bot of its own. Returns the reason if the platform rejects the request. */
async function install(owner: Owner, { name, version, configuration }: Definition): Promise<Installation | string> {
  const { integrations } = await owner.listIntegrations({ name, version });
  const { bot } = await owner.createBot({ name: `With ${name}`.slice(0, 50) });
  const values = placeholder({ type: 'object', ...configuration?.schema }) as Record<string, unknown>;
  const installed = { integrationId: integrations[0]!.id, enabled: true, configuration: values };
  try {
    const { bot: after } = await owner.updateBot({ id: bot.id, integrations: { tried: installed } });
    return after.integrations.tried!;
  } catch (error) {
    return shortened(error instanceof Error ? error.message : String(error));
  } finally {
    await owner.deleteBot({ id: bot.id });
  }
}

const isUnexplained = (step: Step) => step.result === 'refused' && step.detail.includes('unexpected error');

/** Adds what the integration logged. */
async function explained(owner: Owner, id: string, step: Step): Promise<Step> {
  const timeStart = new Date(Date.now() - 120_000).toISOString();
  const { logs } = await owner.getIntegrationLogs({ id, timeStart, timeEnd: new Date().toISOString() });
  const line = logs.find(({ level }) => level === 'error')?.message;
  return line === undefined ? step : { result: 'refused', detail: shortened(line.split('\n')[0]!) };
}

const isRunning = ({ statusReason }: Installation) => !/no running code|^The code /.test(statusReason ?? '');

const TRACKER = 'us.i.posthog.com';

/** Twelve integrations report each registration to PostHog before they answer, and repeat it for 12 seconds. */
async function reported({ folder }: Platform, path: string, step: Step): Promise<Step> {
  if (step.result !== 'failed' || !/did not respond/.test(step.detail)) return step;
  if (!readFileSync(join(folder, path, BUNDLE), 'utf8').includes(TRACKER)) return step;
  const isReached = await lookup(TRACKER).then(
    () => true,
    () => false,
  );
  return isReached ? step : { result: 'source', detail: `reports to ${TRACKER}, which this network does not reach` };
}

function registrationOf({ status, statusReason }: Installation): Step {
  const reason = shortened(statusReason ?? '');
  if (status === 'registered') return { result: 'yes' };
  if (status === 'registration_failed' && !isOwnReason(reason)) return { result: 'refused', detail: reason };
  return { result: 'failed', detail: `${status}: ${reason}` };
}

/** Deploys a bot after its dependencies, and writes to it in the chat. */
async function tryBot(platform: Platform, owner: Owner, source: SourcePackage): Promise<Outcome> {
  const { bot } = await owner.createBot({ name: source.name });
  const deployed = await deployPackage(platform, source, ['--botId', bot.id]);
  const { steps } = deployed.outcome;
  if (steps.deployed?.result === 'failed') {
    steps.deployed = withDependency(platform, deployed) ?? (await withOutdated(platform, deployed)) ?? steps.deployed;
  }
  if (!deployed.definition) return deployed.outcome;

  const after = await rolledOut(owner, bot.id);
  const { status, statusReason } = after as Bot & { statusReason?: string };
  if (status !== 'active' || statusReason) {
    steps.rolledOut = { result: 'failed', detail: shortened(`${status}: ${statusReason ?? ''}`) };
    return deployed.outcome;
  }
  steps.rolledOut = { result: 'yes' };
  const installations = Object.entries(after.integrations);
  if (installations.length > 0) steps.registered = await summaryOf(platform, installations);
  steps.message = await exchange(platform.local, owner, after);
  return deployed.outcome;
}

/** Attributes a failed deployment to a dependency that was not deployed. */
function withDependency({ folder, results }: Platform, { outcome, output }: Deployed): Step | undefined {
  const absent = bpDependenciesOf(folder, outcome.path).find(
    path => results.get(path)?.steps.built?.result === 'source',
  );
  return absent && /not found/.test(output)
    ? { result: 'source', detail: `requires ${absent}, which cannot be built` }
    : undefined;
}

/** Attributes a failed deployment to a configuration that the integration of the same commit does not declare. */
async function withOutdated({ folder, bp }: Platform, { outcome, output }: Deployed): Promise<Step | undefined> {
  const [, alias, field] = /integrations\.([\w-]+)\.configuration\.(\w+): The value is not allowed/.exec(output) ?? [];
  if (!alias || !field) return undefined;
  const path = bpDependenciesOf(folder, outcome.path).find(each => alias.startsWith(each.split('/').at(-1)!));
  const read = path && (await bp(path, 'read', '--json'));
  if (!read) return undefined;
  const { configuration }: Definition = JSON.parse(read.stdout);
  const declares = field in (configuration?.schema?.properties ?? {});
  return declares
    ? undefined
    : { result: 'source', detail: `sets ${alias}.${field}, which the configuration of ${path} does not declare` };
}

async function rolledOut(owner: Owner, id: string): Promise<Bot> {
  for (const endMs = Date.now() + ROLLOUT_MS; ; await sleep(500)) {
    const { bot } = await owner.getBot({ id });
    if ((bot.status as string) !== 'deploying' || Date.now() > endMs) return bot;
  }
}

async function summaryOf(platform: Platform, installations: [string, Installation][]): Promise<Step> {
  const each = await Promise.all(
    installations.map(async ([alias, installation]) => {
      const path = `integrations/${installation.name}`;
      return { alias, step: await reported(platform, path, registrationOf(installation)) };
    }),
  );
  const others = each.filter(({ step }) => step.result !== 'yes');
  const detail = others.map(({ alias, step }) => `${alias}: ${step.detail}`).join('; ');
  if (others.length === 0) return { result: 'yes' };
  const worst = (['failed', 'source', 'refused'] as const).find(result =>
    others.some(({ step }) => step.result === result),
  );
  return { result: worst!, detail };
}

/** Sends a text, and returns the bot's reply. Bots without a chat get one. */
async function exchange(local: LocalFile, owner: Owner, { id, integrations }: Bot): Promise<Step | undefined> {
  const own = Object.values(integrations).find(({ name }) => name === 'chat');
  const added = async () => {
    const { bot } = await owner.updateBot({
      id,
      integrations: { chat: { integrationId: local.integrationId, enabled: true, configuration: {} } },
    });
    return bot.integrations.chat!;
  };
  const { webhookId } = own ?? (await added());
  const client = await chat.Client.connect({ apiUrl: local.chatUrl.replace(local.webhookId, webhookId) });
  const { conversation } = await client.createConversation({});
  const timeStart = new Date().toISOString();
  await client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text: 'hello' } });
  for (const endMs = Date.now() + REPLY_MS; Date.now() < endMs; await sleep(250)) {
    const { messages } = await client.listMessages({ conversationId: conversation.id });
    const reply = messages.find(({ userId }) => userId !== client.user.id);
    if (reply) return { result: 'yes', detail: shortened(JSON.stringify(reply.payload)) };
  }
  const { logs } = await owner.getBotLogs({ id, timeStart, timeEnd: new Date().toISOString() });
  const failure = logs.find(({ level }) => level === 'error')?.message;
  return failure === undefined ? undefined : { result: 'refused', detail: shortened(failure) };
}
