/** The bot of the demo page: buttons, a table, a search, and a handoff to a person (docs/demo.md). */
import { Bot } from '@botpress/sdk';

const bot = new Bot({ actions: {}, plugins: {} });

const ask = (text: string) => ({
  type: 'choice',
  payload: {
    text,
    options: [
      { label: 'Track an order', value: 'track' },
      { label: 'Return something', value: 'How do I return something?' },
      { label: 'Talk to a person', value: 'person' },
    ],
  },
});

const say = (text: string) => ({ type: 'text', payload: { text } });

const card = (title: string, subtitle: string) => ({
  type: 'card',
  payload: { title, subtitle, actions: [{ action: 'say', label: 'Talk to a person', value: 'person' }] },
});

type Client = Parameters<Parameters<typeof bot.on.message>[1]>[0]['client'];

/** Looks up an order in the table, or answers from the help articles. */
async function answer(client: Client, text: string) {
  const number = /\b\d{4}\b/.exec(text)?.[0];
  if (number) {
    const { rows } = await client.findTableRows({ table: 'ordersTable', filter: { number } });
    const [order] = rows;
    return order
      ? card(`Order ${number}: ${order.status}`, `${order.item}, ${order.expected}`)
      : ask(`We have no order ${number}. How can we help?`);
  }
  const { passages } = await client.searchFiles({ query: text, tags: { kind: 'help' }, limit: 1 });
  const [passage] = passages;
  return passage && passage.score > 0.3
    ? say(passage.content)
    : ask('We found no article about this. How can we help?');
}

bot.on.message('*', async ({ message, conversation, client, ctx }) => {
  // A button sends its value with its label.
  const { value, text } = message.payload as { value?: string; text?: string };
  const reply = async (content: { type: string; payload: object }) =>
    client.createMessage({ conversationId: conversation.id, userId: ctx.botId, tags: {}, ...content });

  if (value === 'track') {
    await reply(say('Enter the number of your order, for example 1001.'));
  } else if (value === 'person' || /\b(person|human|agent)\b/i.test(text ?? '')) {
    const input = { conversationId: conversation.id, reason: 'Asked for a person' };
    await client.callAction({ type: 'chat:startHandoff', input });
    await reply(say('A person will answer. Open the inbox of the console to be that person.'));
  } else {
    await reply(await answer(client, value ?? text ?? ''));
  }
});

// The widget sends this event when a visitor starts a conversation.
bot.on.event('chat:custom', async ({ event, client, ctx }) => {
  const { conversationId, payload } = event.payload as { conversationId: string; payload: { type?: string } };
  if (payload.type !== 'conversation_started') return;
  const greeting = ask('Welcome to the demo shop. How can we help?');
  await client.createMessage({ conversationId, userId: ctx.botId, tags: {}, ...greeting });
});

export default bot;
export const handler = bot.handler;
