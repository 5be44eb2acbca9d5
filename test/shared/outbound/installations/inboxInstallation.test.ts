import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { handoffsOf, newTalk } from '#test/support/handoffs.ts';
import { serveHitlBot } from '#test/support/hitlBot.ts';
import { installInbox } from '#test/support/inbox.ts';
import type { Server } from '#test/support/integration.ts';
import { isLeftOut, newBot, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
let server: Server;

beforeEach(async () => {
  bot = await newBot();
  await installInbox(bot);
  const { client } = bot.workspace.owner;
  const { integration } = await client.getPublicIntegration({ name: 'inbox', version: 'latest' });
  server = await serveHitlBot(bot, integration);
  await client.updateBot({ id: bot.id, url: server.url });
});
afterEach(() => server.stop());

const member = () => handoffsOf(bot, bot.workspace.owner.token);

/** Returns the texts of a conversation with their authors, oldest first. */
async function textsOf(conversationId: string, names: Record<string, string>): Promise<string[]> {
  const { messages } = await bot.client.listMessages({ conversationId });
  return messages.map(({ userId, payload }) => `${names[userId] ?? 'bot'}: ${payload.text}`).reverse();
}

/** Creates a user who has requested a human. */
async function requestHuman() {
  const talk = await newTalk(bot);
  await talk.say('hello');
  await settled();
  await talk.say('human');
  await settled();
  const { body } = await member().list('?status=waiting');
  const { id, conversationId: sessionId } = body.handoffs[0];
  return { ...talk, id: id as string, sessionId: sessionId as string };
}

const reply = (id: string, text: string) =>
  bot.call('POST', `/handoffs/${id}/messages`, {
    token: bot.workspace.owner.token,
    body: { type: 'text', payload: { text } },
  });

// A deployed function cannot reach this process.
describe.skipIf(isLeftOut('faults'))('a bot with a plugin for the interface hitl', () => {
  it('connects its user with a member until the member ends the session', async () => {
    const { conversationId, say, userId, id, sessionId } = await requestHuman();
    await bot.workspace.call('PUT', '/account/me', { body: { displayName: 'Ada' } });
    const { body: assigned } = await member().assign(id);
    await settled();
    await say('Where is it?');
    await settled();
    await reply(id, 'On its way.');
    await settled();
    await member().end(id);
    await settled();
    await say('bye');
    await settled();

    expect(await textsOf(conversationId, { [userId]: 'user' })).toEqual([
      'user: hello',
      'bot: You said: hello',
      'user: human',
      'bot: Ada has joined.',
      'user: Where is it?',
      'bot: On its way.',
      'bot: The human has left.',
      'user: bye',
      'bot: You said: bye',
    ]);
    const { participants } = await bot.client.listParticipants({ id: sessionId });
    const [user] = participants.filter(each => each.id !== assigned.handoff.member.userId);
    const names = { [user!.id]: 'user', [assigned.handoff.member.userId]: 'member' };
    expect(await textsOf(sessionId, names)).toEqual([
      'user: hello',
      'bot: You said: hello',
      'user: human',
      'user: Where is it?',
      'member: On its way.',
    ]);
  });

  it('ends the session when the user ends it', async () => {
    const { conversationId, say, id, userId } = await requestHuman();
    await member().assign(id);
    await settled();

    await say('/end');
    await say('bye');
    await settled();

    expect((await member().get(id)).body.handoff).toMatchObject({ status: 'closed', endedBy: { type: 'bot' } });
    expect((await textsOf(conversationId, { [userId]: 'user' })).slice(-2)).toEqual([
      'user: bye',
      'bot: You said: bye',
    ]);
  });

  it('assigns its user to a member who takes over the conversation directly', async () => {
    const { conversationId, say, sessionId } = await requestHuman();
    const { accountId, token } = bot.workspace.owner;
    await handoffsOf(bot, token).start(conversationId, { accountId });

    await say('Where is it?');
    await settled();

    expect(await textsOf(sessionId, {})).not.toContain('bot: Where is it?');
    const { events } = await bot.client.listEvents({ conversationId, status: 'ignored' });
    expect(events.map(({ payload }) => payload.message.payload.text)).toEqual(['Where is it?']);
  });
});
