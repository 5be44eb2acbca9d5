/** Tests a plugin of the public repository, deployed with the CLI, in a bot that is deployed as code. */
import assert from 'node:assert/strict';
import { deployBotWithPlugin, deployPlugin, type Scenario } from './pluginBot.ts';
import { until } from './until.ts';

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

export async function testPlugin(scenario: Scenario): Promise<void> {
  const { bp, handle } = scenario;
  const plugin = await deployPlugin(scenario, 'logger');
  const { owner, path, id, version } = plugin;
  assert.equal(version, '0.1.0');
  assert.ok((await bp(path, 'plugins', 'ls', '--json')).includes(id));
  assert.ok((await bp(path, 'plugins', 'get', `${handle}/logger@${version}`, '--json')).includes(id));
  const bot = { plugin, integrations: ['chat'], definition: DEFINITION, code: CODE } as const;
  const { botId, user } = await deployBotWithPlugin(scenario, bot);

  const { conversation } = await user.createConversation({});
  await user.createMessage({ conversationId: conversation.id, payload: { type: 'text', text: 'hello' } });
  await until('the reply', async () => {
    const { messages } = await user.listMessages({ conversationId: conversation.id });
    return messages.some(({ payload }) => payload.type === 'text' && payload.text === 'You said: hello');
  });
  await until('the lines of the plugin', async () => {
    const timeStart = new Date(Date.now() - 600_000).toISOString();
    const { logs } = await owner.getBotLogs({ id: botId, timeStart, timeEnd: new Date().toISOString() });
    const texts = logs.map(({ message }) => message).join('\n');
    return texts.includes('before_incoming_message') && texts.includes('after_outgoing_message');
  });
  process.stdout.write('ok   a bot with a plugin replies in the chat, and its plugin receives both messages\n');
  await owner.deleteBot({ id: botId });
  await owner.deletePlugin({ id });
}
