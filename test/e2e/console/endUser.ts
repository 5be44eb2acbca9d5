import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { adminClient, local } from './stage.ts';

// The package's ES module does not load in Node.
const chat: typeof import('@botpress/chat') = createRequire(import.meta.url)('@botpress/chat');

export type EndUser = Awaited<ReturnType<typeof newEndUser>>;

/** A user of the official chat client, with a conversation. */
export async function newEndUser(botId: string, name: string) {
  const { bot } = await adminClient().getBot({ id: botId });
  const apiUrl = `${local.apiUrl}/chat/${bot.integrations.chat!.webhookId}`;
  const client = await chat.Client.connect({ apiUrl });
  await client.updateUser({ name });
  const { conversation } = await client.createConversation({});
  const conversationId = conversation.id;
  const heard: string[] = [];
  const listener = await client.listenConversation({ id: conversationId });
  listener.on('message_created', message => heard.push(JSON.stringify(message)));
  return {
    id: conversationId,
    heard,
    /** Without it, the stream would keep this process alive. */
    leave: () => listener.disconnect(),
    say: (text: string) => client.createMessage({ conversationId, payload: { type: 'text', text } }),
    /** The official client lacks this operation. */
    rate: async (body: { value: number; comment?: string }) => {
      const { status } = await fetch(`${apiUrl}/conversations/${conversationId}/rating`, {
        method: 'PUT',
        headers: { 'x-user-key': client.user.key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      assert.equal(status, 200);
    },
    listMessages: async () => (await client.listMessages({ conversationId })).messages,
    listParticipants: async () => (await client.listParticipants({ conversationId })).participants,
  };
}
