import { afterEach, describe, expect, it } from 'vitest';
import { loadWebchatPresence } from '#shared/chat/webchat/signals.ts';
import { findParticipant } from '#shared/dynamodb/chat/participants.ts';
import { findPresence } from '#shared/dynamodb/chat/presence.ts';
import { presenceKey } from '#shared/dynamodb/keys/chat.ts';
import { readItem } from '#shared/dynamodb/query.ts';
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

/** A message to a bot whose endpoint answers with a status. @returns the presence in the conversation afterwards */
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
  it('is processing when the bot has been told', async () => {
    const { presence, user } = await statusesAfter(200, { payloadExtensions: true });

    expect(presence).toEqual([expect.objectContaining({ kind: 'status', userId: user.id, status: 'processing' })]);
  });

  it('is failed when the bot has refused, without what the bot said', async () => {
    const { presence, bot, user, conversation } = await statusesAfter(422, { payloadExtensions: true });
    const author = await findParticipant(bot.id, conversation.id, user.id);
    const signal = await loadWebchatPresence(bot.id, presence[0]!, author!);
    const stored = await readItem(presenceKey(bot.id, conversation.id));

    expect(signal).toMatchObject({
      type: 'message_status_changed',
      data: { newStatus: 'failed', failureReason: 'The bot could not process the message.' },
    });
    expect(JSON.stringify([stored, signal])).not.toContain('word of the bot');
  });

  it('is written for no bot whose users cannot use the webchat client', async () => {
    const { presence } = await statusesAfter(200, {});

    expect(presence).toEqual([]);
  });
});
