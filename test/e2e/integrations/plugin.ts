/** Tests a plugin of the public repository, deployed with the CLI, in a bot that is deployed as code. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { LocalFile } from '#infra/local/demo.ts';
import { startRelay } from '#infra/local/services/relay.ts';
import { until } from './until.ts';

// Node cannot load the ES modules of these packages, which are built for browsers.
const load = createRequire(import.meta.url);
const { Client }: typeof import('@botpress/client') = load('@botpress/client');
const chat: typeof import('@botpress/chat') = load('@botpress/chat');

interface Walk {
  /** Uses the built packages. */
  folder: string;
  /** The workspace's handle, which the CLI prefixes to deployed names. */
  handle: string;
  local: LocalFile;
  /** Runs the CLI in a folder. Returns its output. */
  bp(where: string, ...args: string[]): Promise<string>;
}

const DEFINITION = `
import * as sdk from '@botpress/sdk'
import chat from './bp_modules/chat'
import logger from './bp_modules/logger'

export default new sdk.BotDefinition({})
  .addIntegration(chat, { alias: 'chat', enabled: true, configuration: {} })
  .addPlugin(logger, { alias: 'logger', configuration: {}, dependencies: {} })
`;

const CODE = `
import * as bp from '.botpress'

const bot = new bp.Bot({ actions: {} })
bot.on.message('*', async ({ client, ctx, message }) => {
  await client.createMessage({
    conversationId: message.conversationId,
    userId: ctx.botId,
    tags: {},
    type: 'text',
    payload: { text: 'You said: ' + message.payload.text },
  })
})
export default bot
`;

export async function testPlugin({ folder, handle, local, bp }: Walk): Promise<void> {
  const { apiUrl, workspaceId } = local;
  const owner = new Client({ apiUrl, workspaceId, token: local.tokens.owner });
  const plugin = join(folder, 'plugins/logger');
  await bp(plugin, 'add');
  await bp(plugin, 'build');
  await bp(plugin, 'deploy');
  const name = `${handle}/logger`;
  const { plugins } = await owner.listPlugins({});
  const { id } = plugins.find(each => each.name === name)!;
  assert.ok((await bp(plugin, 'plugins', 'ls', '--json')).includes(id));
  assert.ok((await bp(plugin, 'plugins', 'get', `${name}@0.1.0`, '--json')).includes(id));

  const { bot } = await owner.createBot({ name: 'With a plugin' });
  const project = join(folder, 'bots/withLogger');
  mkdirSync(join(project, 'src'), { recursive: true });
  const files = {
    'package.json': JSON.stringify({ name: 'with-logger', private: true, bpDependencies: {} }),
    // Required to find `.botpress`.
    'tsconfig.json': JSON.stringify({ compilerOptions: { paths: { '*': ['./*'] } } }),
    'bot.definition.ts': DEFINITION,
    'src/index.ts': CODE,
  };
  for (const [file, content] of Object.entries(files)) writeFileSync(join(project, file), content);
  await bp(project, 'add', 'integration:chat@1.0.0');
  await bp(project, 'add', `plugin:${name}@0.1.0`, '--alias', 'logger');
  // The plugin's code is also sent as a list of numbers, which exceeds a request.
  const relay = await startRelay(apiUrl, 0);
  await bp(project, 'deploy', '--botId', bot.id, '--apiUrl', relay.endpoint).finally(relay.stop);

  const { webhookId } = (await owner.getBot({ id: bot.id })).bot.integrations.chat!;
  const user = await chat.Client.connect({ apiUrl: local.chatUrl.replace(local.webhookId, webhookId) });
  const { conversation } = await user.createConversation({});
  await user.createMessage({ conversationId: conversation.id, payload: { type: 'text', text: 'hello' } });
  await until('the answer', async () => {
    const { messages } = await user.listMessages({ conversationId: conversation.id });
    return messages.some(({ payload }) => payload.type === 'text' && payload.text === 'You said: hello');
  });
  await until('the lines of the plugin', async () => {
    const timeStart = new Date(Date.now() - 600_000).toISOString();
    const { logs } = await owner.getBotLogs({ id: bot.id, timeStart, timeEnd: new Date().toISOString() });
    const texts = logs.map(({ message }) => message).join('\n');
    return texts.includes('before_incoming_message') && texts.includes('after_outgoing_message');
  });
  process.stdout.write('ok   a bot with a plugin answers in the chat, and its plugin hears both messages\n');
  await owner.deleteBot({ id: bot.id });
  await owner.deletePlugin({ id });
}
