/** Creates the records that examples of the chat API name: Ada's conversation with Bob. */
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { putClosedHandoff } from '#test/support/handoffs.ts';
import { call, newBot, newUser, type RawAnswer } from '#test/support/platform.ts';
import { ADMIN_SECRET } from '#test/support/requests/chat.ts';
import type { ExampleWorld } from './world.ts';

export interface ChatWorld extends ExampleWorld {
  /** Ada's. */
  key: string;
  say(text: string): Promise<RawAnswer>;
}

export async function newChatWorld(): Promise<ChatWorld> {
  const bot = await newBot();
  await bot.workspace.owner.client.updateBot({
    id: bot.id,
    integrations: {
      chat: {
        integrationId: bot.integrationId,
        enabled: true,
        configuration: { fileUploads: true, adminSecret: ADMIN_SECRET },
      },
    },
  });
  const [ada, bob, cleo] = [
    await newUser(bot, { name: 'Ada' }),
    await newUser(bot, { name: 'Bob' }),
    await newUser(bot, { name: 'Cleo' }),
  ];
  const { conversation } = await ada.client.createConversation({});
  const conversationId = conversation.id;
  await ada.client.addParticipant({ conversationId, userId: bob.user.id });
  const { message } = await ada.client.createMessage({ conversationId, payload: { type: 'text', text: 'Hello' } });
  const { event } = await ada.client.createEvent({ conversationId, payload: { type: 'clicked' } });
  await putClosedHandoff(bot.id, conversationId);
  return {
    bot,
    key: ada.key,
    say: text =>
      call(`${bot.chatUrl}/messages`, {
        method: 'POST',
        key: bob.key,
        body: { conversationId, payload: { type: 'text', text } },
      }),
    real: new Map<string, string>([
      [EXAMPLE.adminSecret, ADMIN_SECRET],
      [EXAMPLE.webhook, bot.webhookId],
      [EXAMPLE.bot, bot.id],
      [EXAMPLE.user, ada.user.id],
      [EXAMPLE.otherUser, bob.user.id],
      [EXAMPLE.thirdUser, cleo.user.id],
      [EXAMPLE.conversation, conversationId],
      [EXAMPLE.message, message.id],
      [EXAMPLE.event, event.id],
    ]),
  };
}
