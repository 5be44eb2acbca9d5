/**
 * The plugin hitl of the public repository, on a bot with the integration inbox: a user of the webchat requests a
 * human, converses with a member who takes over, and returns to the bot.
 */
import assert from 'node:assert/strict';
import { deployBotWithPlugin, deployPlugin, type Scenario } from './pluginBot.ts';
import { until } from './until.ts';

const DEFINITION = `
import * as sdk from '@botpress/sdk'
import webchat from './bp_modules/webchat'
import inbox from './bp_modules/inbox'
import hitl from './bp_modules/hitl'

export default new sdk.BotDefinition({})
  .addIntegration(webchat, { alias: 'webchat', enabled: true, configuration: {} })
  .addIntegration(inbox, { alias: 'inbox', enabled: true, configuration: {} })
  .addPlugin(hitl, {
    alias: 'hitl',
    configuration: { flowOnHitlStopped: false, useHumanAgentInfo: true },
    dependencies: { hitl: { integrationAlias: 'inbox', integrationInterfaceAlias: 'hitl<hitlSession>' } },
  })
`;

const CODE = `
import * as bp from '.botpress'

const bot = new bp.Bot({ actions: {} })
bot.on.message('*', async ({ client, ctx, message }) => {
  const { conversationId, userId, payload } = message
  const [wanted, seconds] = (payload.text ?? '').split(' within ')
  if (wanted === 'human') {
    const configurationOverrides = seconds ? { agentAssignedTimeoutSeconds: Number(seconds) } : {}
    const session = { title: 'Order 7', description: 'The parcel is late.', configurationOverrides }
    await client.callAction({ type: 'hitl#startHitl', input: { ...session, conversationId, userId } })
    return
  }
  const reply = { type: 'text', payload: { text: 'You said: ' + payload.text } }
  await client.createMessage({ conversationId, userId: ctx.botId, tags: {}, ...reply })
})
export default bot
`;

const MEMBER = { displayName: 'Ada', profilePicture: 'https://example.com/ada.png' };

export async function testHitl(scenario: Scenario): Promise<void> {
  const { local } = scenario;
  const { apiUrl, workspaceId } = local;
  const say = (text: string) => process.stdout.write(`ok   ${text}\n`);
  const plugin = await deployPlugin(scenario, 'hitl');
  const { owner } = plugin;
  const bot = { plugin, integrations: ['webchat', 'inbox'], definition: DEFINITION, code: CODE } as const;
  const { botId, user } = await deployBotWithPlugin(scenario, bot);
  /** Starts a conversation of the user. */
  const newTalk = async () => {
    const { conversation } = await user.createConversation({});
    const sendPayload = (payload: Parameters<typeof user.createMessage>[0]['payload']) =>
      user.createMessage({ conversationId: conversation.id, payload });
    const send = (text: string) => sendPayload({ type: 'text', text });
    const heard = (text: string) =>
      until(`«${text}» in the chat`, async () => {
        const { messages } = await user.listMessages({ conversationId: conversation.id });
        return messages.find(({ payload }) => payload.type === 'text' && payload.text === text);
      });
    return { conversation, sendPayload, send, heard };
  };
  const { conversation, sendPayload, send, heard } = await newTalk();

  // biome-ignore lint/suspicious/noExplicitAny: a response; each step asserts its shape
  const asMember = async (method: string, path: string, body?: object): Promise<any> => {
    const response = await fetch(`${apiUrl}/v1/chat${path}`, {
      method,
      headers: {
        authorization: `Bearer ${local.tokens.owner}`,
        'x-bot-id': botId,
        'x-workspace-id': workspaceId,
        'content-type': 'application/json',
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`);
    return response.json();
  };
  const shown = async (conversationId: string, text: string) =>
    until(`«${text}» in the inbox`, async () => {
      const { messages } = await asMember('GET', `/messages?conversationId=${conversationId}`);
      return messages.find(({ payload }: { payload: { text?: string } }) => payload.text === text);
    });
  const waiting = () =>
    until('a session in the inbox', async () => (await asMember('GET', '/handoffs?status=waiting')).handoffs[0]);
  /** The plugin tags both conversations after the action has returned. */
  const linked = (conversationId: string) =>
    until('the link of the conversations', async () => {
      const { conversations } = await asMember('GET', '/conversations?integrationName=webchat');
      return conversations[0]?.tags['hitl#downstream'] === conversationId;
    });

  await owner.updateAccount(MEMBER);
  await send('hello');
  await heard('You said: hello');
  await send('human');
  await heard('I have escalated this conversation to a human agent. They should be with you shortly.');
  const handoff = await waiting();
  assert.equal(handoff.reason, 'Order 7\n\nThe parcel is late.');
  const history = await asMember('GET', `/messages?conversationId=${handoff.conversationId}`);
  const texts = history.messages.map(({ payload }: { payload: { text: string } }) => payload.text).reverse();
  assert.deepEqual(texts.slice(0, 3), ['hello', 'You said: hello', 'human']);
  say('hitl: the plugin opens a session, which waits in the inbox with its history');

  await linked(handoff.conversationId);
  await send('Where is my parcel?');
  const forwarded = await shown(handoff.conversationId, 'Where is my parcel?');
  assert.notEqual(forwarded.userId, botId);
  const { handoff: taken } = await asMember('POST', `/handoffs/${handoff.id}/assign`, {});
  await heard('A human agent has joined the conversation.');
  await asMember('POST', `/handoffs/${handoff.id}/messages`, { type: 'text', payload: { text: 'On its way.' } });
  const reply = await heard('On its way.');
  const { participants } = await user.listParticipants({ conversationId: conversation.id });
  const author = participants.find(({ id }) => id === reply.userId);
  assert.deepEqual([author?.name, author?.pictureUrl], [MEMBER.displayName, MEMBER.profilePicture]);
  await send('Thanks!');
  await shown(handoff.conversationId, 'Thanks!');
  const image = { type: 'image' as const, imageUrl: 'https://example.com/parcel.png' };
  await sendPayload(image);
  await until('the image in the inbox', async () => {
    const { messages } = await asMember('GET', `/messages?conversationId=${handoff.conversationId}`);
    return messages.some(
      ({ type, payload }: { type: string; payload: object }) => type === 'image' && 'imageUrl' in payload,
    );
  });
  assert.equal(taken.member.name, MEMBER.displayName);
  say('hitl: a member takes over, and messages pass in both directions under name and picture');

  await asMember('POST', `/handoffs/${handoff.id}/end`, {});
  await heard('The human agent closed the conversation. I will continue assisting you.');
  await send('bye');
  await heard('You said: bye');
  say('hitl: the member ends the session, and the bot answers again');

  await send('human');
  const second = await waiting();
  await linked(second.conversationId);
  await send('/end');
  await heard('You have ended the session with the human agent. I will continue assisting you.');
  await until('the end in the inbox', async () => {
    const { handoff: ended } = await asMember('GET', `/handoffs/${second.id}`);
    return ended.status === 'closed' && ended.endedBy.type === 'bot';
  });
  say('hitl: the user ends a session with /end');

  // The plugin confuses the member of an earlier session with one of this session.
  const other = await newTalk();
  await other.send('human within 2');
  const third = await waiting();
  await other.heard(
    'No human agent is available at the moment. Please try again later. I will continue assisting you for the time being.',
  );
  const { handoff: expired } = await asMember('GET', `/handoffs/${third.id}`);
  assert.equal(expired.status, 'closed');
  say('hitl: a session ends that no member takes over in time');

  await owner.deleteBot({ id: botId });
  await owner.deletePlugin({ id: plugin.id });
}
