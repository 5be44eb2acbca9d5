/** Deploys a plugin of the public repository and a bot that uses it, both with the CLI. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { LocalFile } from '#infra/local/demo.ts';

// Node cannot load the ES modules of these packages, which are built for browsers.
const load = createRequire(import.meta.url);
const { Client }: typeof import('@botpress/client') = load('@botpress/client');
const chat: typeof import('@botpress/chat') = load('@botpress/chat');

export interface Scenario {
  /** Folder with the built packages. */
  folder: string;
  /** The workspace's handle, which the CLI prefixes to deployed names. */
  handle: string;
  local: LocalFile;
  /** Runs the CLI in a folder. Returns its output. */
  bp(where: string, ...args: string[]): Promise<string>;
}

export async function deployPlugin({ folder, handle, local, bp }: Scenario, name: string) {
  const { apiUrl, workspaceId } = local;
  const owner = new Client({ apiUrl, workspaceId, token: local.tokens.owner });
  const path = join(folder, 'plugins', name);
  await bp(path, 'add');
  await bp(path, 'build');
  await bp(path, 'deploy');
  const { plugins } = await owner.listPlugins({});
  const { id, version } = plugins.find(each => each.name === `${handle}/${name}`)!;
  return { owner, path, name, id, version };
}

interface BotWithPlugin {
  plugin: Awaited<ReturnType<typeof deployPlugin>>;
  /** Names of integrations. End users chat through the first. */
  integrations: readonly [string, ...string[]];
  definition: string;
  code: string;
}

/** Deploys a bot as code. Returns its id and an end user. */
export async function deployBotWithPlugin(
  { folder, handle, local, bp }: Scenario,
  { plugin: { owner, name, version }, integrations, definition, code }: BotWithPlugin,
) {
  const { bot } = await owner.createBot({ name: `With ${name}` });
  const project = join(folder, 'bots', name);
  mkdirSync(join(project, 'src'), { recursive: true });
  const files = {
    'package.json': JSON.stringify({ name: `with-${name}`, private: true, bpDependencies: {} }),
    // The CLI requires it to find `.botpress`.
    'tsconfig.json': JSON.stringify({ compilerOptions: { paths: { '*': ['./*'] } } }),
    'bot.definition.ts': definition,
    'src/index.ts': code,
  };
  for (const [file, content] of Object.entries(files)) writeFileSync(join(project, file), content);
  for (const integration of integrations) await bp(project, 'add', `integration:${integration}@1.0.0`);
  await bp(project, 'add', `plugin:${handle}/${name}@${version}`, '--alias', name);
  await bp(project, 'deploy', '--botId', bot.id);

  const { webhookId } = (await owner.getBot({ id: bot.id })).bot.integrations[integrations[0]]!;
  const user = await chat.Client.connect({ apiUrl: local.chatUrl.replace(local.webhookId, webhookId) });
  return { botId: bot.id, user };
}
