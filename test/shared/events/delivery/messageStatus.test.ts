import { afterEach, describe, expect, it } from 'vitest';
import { VARIABLES } from '#shared/core/environment.ts';
import { parseTimelineId } from '#shared/core/ids.ts';
import { loadWebchatPresence } from '#shared/domain/chat/webchat/webchatSignals.ts';
import { findParticipant } from '#shared/storage/dynamodb/chat/participants.ts';
import { findPresence } from '#shared/storage/dynamodb/chat/presence.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { presenceKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { newAnsweringBot, talk, textsOf } from '#test/support/deliveries.ts';
import { startEndpoint } from '#test/support/endpoint.ts';
import {
  eventually,
  newBotWithIntegration,
  newUser,
  newWorkspace,
  settled,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

const stopping: (() => void)[] = [];
afterEach(() => {
  for (const stop of stopping.splice(0)) stop();
});

/** Sends a message to a bot whose endpoint responds with a status. Returns the conversation's presence afterwards. */
async function statusesAfter(status: number, configuration: Record<string, unknown>) {
  const endpoint = await startEndpoint(({ operation }, response) => {
    response.writeHead(operation === 'event_received' ? status : 200).end('{"message":"a word of the bot"}');
  });
  stopping.push(endpoint.stop);
  const workspace = await newWorkspace();
  const { bot, chatUrl } = await newBotWithIntegration(workspace, configuration);
  await workspace.owner.client.updateBot({ id: bot.id, url: endpoint.url });
  const { client, user } = await newUser({ chatUrl });
  const { conversation } = await client.createConversation({});
  const { message } = await client.createMessage({
    conversationId: conversation.id,
    payload: { type: 'text', text: 't' },
  });
  await eventually(async () => expect(endpoint.events().some(({ type }) => type === 'message_created')).toBe(true));
  await settled();
  const presence = await findPresence(bot.id, conversation.id);
  return { bot, conversation, user, message, presence };
}

describe('the status of a message', () => {
  it('is processing after the delivery to the bot', async () => {
    const { presence, user } = await statusesAfter(200, { payloadExtensions: true });

    expect(presence).toEqual([expect.objectContaining({ kind: 'status', userId: user.id, status: 'processing' })]);
  });

  it("is failed after the bot's rejection, without the rejection's message", async () => {
    const { presence, bot, user, conversation } = await statusesAfter(422, { payloadExtensions: true });
    const author = await findParticipant(bot.id, conversation.id, user.id);
    const signal = await loadWebchatPresence(bot.id, presence.at(-1)!, author!);
    const stored = await readItem(presenceKey(bot.id, conversation.id));

    expect(signal).toMatchObject({
      type: 'message_status_changed',
      data: { newStatus: 'failed', failureReason: 'The bot could not process the message.' },
    });
    expect(JSON.stringify([stored, signal])).not.toContain('word of the bot');
  });

  it('is not written for bots without the webchat client', async () => {
    const { presence } = await statusesAfter(200, {});

    expect(presence).toEqual([]);
  });

  it('stays failed for the listener while the next message is being processed', async () => {
    process.env[VARIABLES.firstPauseMs] = '1';
    const { bot, endpoint } = await newAnsweringBot(text => (text === 'bad' ? 500 : 200), { payloadExtensions: true });
    stopping.push(endpoint.stop, () => delete process.env[VARIABLES.firstPauseMs]);
    const { conversationId, say } = await talk(bot);
    const { message } = await say('bad');
    const next = await say('good');
    await eventually(async () => expect(textsOf(endpoint).at(-1)).toBe('good'));

    const statuses = (await findPresence(bot.id, conversationId)).map(presence =>
      presence.kind === 'status' ? [presence.status, presence.position] : [],
    );

    const positionOf = (id: string) => parseTimelineId('msg', id)!.position;
    expect(statuses).toEqual(
      expect.arrayContaining([
        ['failed', positionOf(message.id)],
        ['processing', positionOf(next.message.id)],
      ]),
    );
  });
});

describe('a listener of the chat client', () => {
  it.each([422, 500])('receives the failure event only for its own message, after a %i', async status => {
    process.env[VARIABLES.firstPauseMs] = '1';
    const { bot, endpoint } = await newAnsweringBot(() => status);
    stopping.push(endpoint.stop, () => delete process.env[VARIABLES.firstPauseMs]);
    const { client, conversationId, say } = await talk(bot);
    const other = await newUser(bot);
    await client.addParticipant({ conversationId, userId: other.user.id });
    const listeners = await Promise.all([
      client.listenConversation({ id: conversationId }),
      other.client.listenConversation({ id: conversationId }),
    ]);
    const mine: unknown[] = [];
    const others: unknown[] = [];
    for (const [i, listener] of listeners.entries()) {
      listener.on('event_created', event => void (i === 0 ? mine : others).push(event));
      stopping.push(() => void listener.disconnect());
    }

    const { message } = await say('bad');

    await eventually(async () => expect(mine).toHaveLength(1));
    expect(mine[0]).toMatchObject({
      id: null,
      isBot: true,
      conversationId,
      userId: bot.id,
      payload: {
        type: 'message_failed',
        messageId: message.id,
        failureReason: 'The bot could not process the message.',
      },
    });
    await settled();
    expect(others).toEqual([]);
    expect(JSON.stringify(mine)).not.toContain('this is bad');
  });
});
