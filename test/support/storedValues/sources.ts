/**
 * Ways to store a value of up to a megabyte, and its readers. `storedValues.test.ts` sends texts of all sizes through
 * each, and fails for code that stores a value but is covered by no source.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import type { TestEndpoint } from '#test/support/endpoint.ts';
import { call, eventually, hasten, settled } from '#test/support/platform.ts';
import { type Chat, type Scene, startChat } from './scene.ts';
import type { Size } from './texts.ts';

/** Reads the text again, from one reader. */
type Reader = () => Promise<unknown>;

export interface Source {
  name: string;
  /** Files of the product that store a value. */
  covers: readonly string[];
  /** Bytes of the stored JSON with an empty text. */
  frameBytes: number;
  /** All sizes unless given. */
  sizes?: readonly Size[];
  store(scene: Scene, text: string): Promise<Record<string, Reader>>;
}

const SMALL: readonly Size[] = ['1 byte'];
const UP_TO_INLINE: readonly Size[] = ['1 byte', 'one byte below the inline limit', 'the inline limit'];

// biome-ignore lint/suspicious/noExplicitAny: bodies of any operation
type Any = any;

/** Returns the text of the first matching call to an endpoint. */
const receivedAt =
  ({ received }: TestEndpoint, operation: string, textIn: (body: Any) => unknown): Reader =>
  () =>
    eventually(async () => {
      const found = received
        .filter(each => each.operation === operation)
        .map(({ body }) => textIn(body))
        .find(text => text !== undefined);
      expect(found).toBeDefined();
      return found;
    });

const eventAt = (endpoint: TestEndpoint, isIt: (event: Any) => boolean, textIn: (payload: Any) => unknown): Reader =>
  receivedAt(endpoint, 'event_received', ({ event }) => (isIt(event) ? textIn(event.payload) : undefined));

const messageAt = (endpoint: TestEndpoint, id: string) =>
  eventAt(
    endpoint,
    event => event.payload.message?.id === id,
    ({ message }) => message.payload.text,
  );

const heardIn =
  ({ heard }: Chat, type: string, isIt: (data: Any) => boolean): Reader =>
  () =>
    eventually(async () => {
      const found = heard.find(each => each.type === type && isIt(each.data));
      expect(found).toBeDefined();
      return (found!.data.payload as Any).text;
    });

/** Stops the chat's listener after its last reader. */
const inChat = async (bot: Scene['bot'], run: (chat: Chat) => Promise<Record<string, Reader>>) => {
  const chat = await startChat(bot);
  const readers = await run(chat);
  const stop = async () => chat.stop();
  return { ...readers, 'the end': stop } as Record<string, Reader>;
};

const textOfMessage = async (client: Scene['bot']['client'], id: string) =>
  (await client.getMessage({ id })).message.payload.text;

const say = (chat: Chat, text: string) =>
  chat.client.createMessage({ conversationId: chat.conversationId, payload: { type: 'text', text } });

const ofBot = (botId: string, conversationId: string, text: string) => ({
  conversationId,
  userId: botId,
  type: 'text',
  payload: { text },
  tags: {},
});

const messages: Source[] = [
  {
    name: 'a chat user’s message',
    covers: ['functions/chat/createMessage.ts'],
    frameBytes: '{"type":"text","text":""}'.length,
    store: ({ bot, endpoint }, text) =>
      inChat(bot, async chat => {
        const { message } = await say(chat, text);
        return {
          endpoint: messageAt(endpoint, message.id),
          widget: heardIn(chat, 'message_created', ({ id }) => id === message.id),
          'chat API': async () => ((await chat.client.getMessage({ id: message.id })).message.payload as Any).text,
          console: async () =>
            (await bot.client.listMessages({ conversationId: chat.conversationId })).messages[0]!.payload.text,
        };
      }),
  },
  {
    name: 'a chat user’s message to deployed code',
    covers: ['functions/chat/createMessage.ts'],
    frameBytes: '{"type":"text","text":""}'.length,
    store: ({ deployed, forwarded }, text) =>
      inChat(deployed, async chat => {
        const { message } = await say(chat, text);
        return { 'deployed bot': messageAt(forwarded, message.id) };
      }),
  },
  {
    name: 'a chat user’s changed message',
    covers: ['functions/chat/updateMessage.ts'],
    frameBytes: '{"type":"text","text":""}'.length,
    store: ({ bot }, text) =>
      inChat(bot, async chat => {
        const { message } = await say(chat, 'before');
        const url = `${bot.chatUrl}/messages/${message.id}`;
        await call(url, { method: 'PUT', key: chat.key, body: { payload: { type: 'text', text } } });
        return { widget: heardIn(chat, 'message_updated', ({ id }) => id === message.id) };
      }),
  },
  {
    name: 'a chat user’s event',
    covers: ['functions/chat/createEvent.ts'],
    frameBytes: '{"text":""}'.length,
    store: ({ bot, endpoint }, text) =>
      inChat(bot, async chat => {
        const { conversationId } = chat;
        const { event } = await chat.client.createEvent({ conversationId, payload: { text } });
        return {
          endpoint: eventAt(
            endpoint,
            each => each.type.endsWith(':custom') && each.conversationId === conversationId,
            ({ payload }) => payload.text,
          ),
          widget: heardIn(chat, 'event_created', ({ id }) => id === event.id),
        };
      }),
  },
  {
    name: 'the bot’s message in a chat',
    covers: ['shared/domain/botChat/messages/createMessage.ts'],
    frameBytes: '{"text":""}'.length,
    store: ({ bot }, text) =>
      inChat(bot, async chat => {
        const { message } = await bot.client.createMessage(ofBot(bot.id, chat.conversationId, text));
        return {
          widget: heardIn(chat, 'message_created', ({ id }) => id === message.id),
          console: () => textOfMessage(bot.client, message.id),
        };
      }),
  },
  {
    name: 'the bot’s scheduled message',
    covers: ['shared/domain/botChat/messages/createMessage.ts'],
    frameBytes: '{"text":""}'.length,
    store: ({ bot }, text) =>
      inChat(bot, async chat => {
        const schedule = { dateTime: new Date(clock.now() + 60_000).toISOString() };
        await bot.client.createMessage({ ...ofBot(bot.id, chat.conversationId, text), schedule } as Any);
        clock.advance(61_000);
        hasten();
        return { widget: heardIn(chat, 'message_created', () => true) };
      }),
  },
  {
    name: 'the bot’s action sendEvent',
    covers: ['shared/domain/botChat/actions/sendEvent.ts'],
    frameBytes: '{"text":""}'.length,
    store: ({ bot }, text) =>
      inChat(bot, async chat => {
        const input = { conversationId: chat.conversationId, payload: { text } };
        await bot.client.callAction({ type: 'chat:sendEvent', input });
        return { widget: heardIn(chat, 'event_created', () => true) };
      }),
  },
  {
    name: 'the bot’s message in a channel of an integration',
    covers: ['shared/domain/botChat/messages/createMessage.ts'],
    frameBytes: '{"text":""}'.length,
    store: async ({ channel: { bot, botId, conversationId }, outbound }, text) => {
      const { message } = await bot.createMessage(ofBot(botId, conversationId, text));
      return {
        integration: receivedAt(outbound, 'message_created', body =>
          body.message.id === message.id ? body.payload.text : undefined,
        ),
      };
    },
  },
  {
    name: 'the bot’s changed message in a channel of an integration',
    covers: ['functions/botChat/updateMessage.ts', 'shared/events/reactions/deliveries/outgoingFromChanges.ts'],
    frameBytes: '{"text":""}'.length,
    store: async ({ channel: { bot, botId, conversationId }, outbound }, text) => {
      const { message } = await bot.createMessage(ofBot(botId, conversationId, text));
      await bot
        .updateMessage({ id: message.id, payload: { text: `${text}y` }, tags: {} } as Any)
        .catch(() => undefined);
      await bot.updateMessage({ id: message.id, payload: { text }, tags: {} } as Any);
      return {
        integration: receivedAt(outbound, 'message_updated', body =>
          body.currentMessage.id === message.id && body.currentMessage.payload.text === text
            ? body.currentMessage.payload.text
            : undefined,
        ),
        console: () => textOfMessage(bot, message.id),
      };
    },
  },
  {
    name: 'an integration’s message of its guest',
    covers: ['shared/domain/botChat/messages/createMessage.ts'],
    frameBytes: '{"text":""}'.length,
    store: async ({ bot, endpoint }, text) => {
      const { user } = await bot.integration.getOrCreateUser({ tags: {}, name: randomUUID() } as Any);
      const { conversation } = await bot.integration.createConversation({ channel: 'channel', tags: {} });
      const incoming = { conversationId: conversation.id, userId: user.id, type: 'text', payload: { text }, tags: {} };
      const { message } = await bot.integration.createMessage(incoming);
      return { endpoint: messageAt(endpoint, message.id) };
    },
  },
];

const events: Source[] = [
  {
    name: 'a bot event',
    covers: ['functions/botChat/createEvent.ts'],
    frameBytes: '{"text":""}'.length,
    store: async ({ bot, endpoint }, text) => {
      const { event } = await bot.client.createEvent({ type: 'stored', payload: { text } });
      return {
        endpoint: eventAt(
          endpoint,
          ({ id }) => id === event.id,
          payload => payload.text,
        ),
        console: async () => (await bot.client.getEvent({ id: event.id })).event.payload.text,
      };
    },
  },
  {
    name: 'a scheduled bot event',
    covers: ['functions/botChat/createEvent.ts'],
    frameBytes: '{"text":""}'.length,
    store: async ({ bot, endpoint }, text) => {
      const schedule = { dateTime: new Date(clock.now() + 60_000).toISOString() };
      const { event } = await bot.client.createEvent({ type: 'stored', payload: { text }, schedule });
      clock.advance(61_000);
      hasten();
      return {
        endpoint: eventAt(
          endpoint,
          ({ id }) => id === event.id,
          payload => payload.text,
        ),
      };
    },
  },
  {
    name: 'a workflow',
    covers: [
      'shared/domain/messaging/workflows/workflowCreation.ts',
      'shared/domain/messaging/workflows/workflowEvents.ts',
      'shared/domain/botChat/workflows/updateWorkflow.ts',
    ],
    frameBytes: '{"input":{"text":""},"output":{}}'.length,
    store: async ({ bot, endpoint }, text) => {
      const { workflow } = await bot.client.createWorkflow({ name: 'stored', input: { text }, status: 'pending' });
      const { workflow: changed } = await bot.client.updateWorkflow({ id: workflow.id, output: { text: 'result' } });
      expect(changed.output).toEqual({ text: 'result' });
      return {
        endpoint: eventAt(
          endpoint,
          ({ payload }) => payload.workflow?.id === workflow.id,
          payload => payload.workflow.input.text,
        ),
        console: async () => (await bot.client.getWorkflow({ id: workflow.id })).workflow.input.text,
      };
    },
  },
  {
    name: 'a state that expires',
    covers: ['shared/domain/botChat/states/writeState.ts'],
    frameBytes: '{"text":""}'.length,
    store: async ({ bot, endpoint }, text) => {
      const { user } = await bot.client.createUser({ tags: {} });
      const owner = { type: 'user' as const, id: user.id, name: 'stored' };
      await bot.client.setState({ ...owner, payload: { text }, expiry: 60_000 });
      const { state } = await bot.client.getState(owner);
      await settled();
      clock.advance(61_000);
      hasten();
      return {
        console: async () => state.payload.text,
        endpoint: eventAt(
          endpoint,
          each => each.type === 'state_expired' && each.userId === user.id,
          payload => payload.state.payload.text,
        ),
      };
    },
  },
  {
    name: 'a row',
    covers: ['shared/events/reactions/publishRowEvents.ts'],
    frameBytes: 0,
    // A row has at most 4 KB times the table's factor of up to 30, and its event also contains the previous values.
    sizes: SMALL,
    store: async ({ bot, endpoint }, text) => {
      const properties = { text: { type: 'string' } };
      const { table } = await bot.client.createTable({
        name: `T${randomUUID().replaceAll('-', '').slice(0, 20)}Table`,
        schema: { type: 'object', properties },
        factor: 30,
      });
      const before = `${text}${'x'.repeat(110_000)}`;
      const after = `${text}${'y'.repeat(110_000)}`;
      await bot.client.createTableRows({ table: table.id, rows: [{ text: before }] });
      await bot.client.updateTableRows({ table: table.id, rows: [{ id: 1, text: after }] });
      const isUpdate = (event: Any) => event.type === 'table_row_updated' && event.payload.tableId === table.id;
      const textIn = ({ row, previous }: Any) => (previous.text === before && row.text === after ? text : undefined);
      return { endpoint: eventAt(endpoint, isUpdate, textIn) };
    },
  },
];

const settings: Source[] = [
  {
    name: 'a preference of an account',
    covers: ['shared/storage/dynamodb/workspace/preferences.ts'],
    frameBytes: '{"text":""}'.length,
    sizes: UP_TO_INLINE,
    store: async ({ bot }, text) => {
      const { client } = bot.workspace.owner;
      await client.setAccountPreference({ key: 'stored', value: { text } });
      return { console: async () => ((await client.getAccountPreference({ key: 'stored' })).value as Any).text };
    },
  },
  {
    name: 'the response to an idempotency key',
    covers: ['shared/api/steps/makeIdempotent.ts'],
    frameBytes: 300,
    store: async ({ bot }, text) => {
      const headers = { 'idempotency-key': randomUUID() };
      const request = { body: { type: 'stored', payload: { text } }, headers };
      const first = await bot.call('POST', '/events', request);
      const second = await bot.call('POST', '/events', request);
      expect(second.body.event.id).toBe(first.body.event.id);
      return { client: async () => second.body.event.payload.text };
    },
  },
  {
    name: 'the definition of a bot',
    covers: ['shared/storage/dynamodb/bots/bots.ts', 'shared/storage/dynamodb/engine/largeValue.ts'],
    frameBytes: 300,
    store: async ({ bot }, text) => {
      const { client } = bot.workspace.owner;
      const schema = { type: 'object', properties: { note: { type: 'string', description: text } } };
      const { bot: made } = await client.createBot({ name: 'Stored', configuration: { schema } });
      return {
        console: async () =>
          ((await client.getBot({ id: made.id })).bot.configuration.schema as Any).properties.note.description,
      };
    },
  },
  {
    name: 'a version of a bot',
    covers: ['shared/storage/dynamodb/bots/versions.ts'],
    frameBytes: 600,
    store: async ({ bot: { workspace } }, text) => {
      const { client } = workspace.owner;
      const schemaOf = (description: string) => ({ type: 'object', properties: { note: { description } } });
      const url = 'http://127.0.0.1:9';
      const { bot } = await client.createBot({ url, configuration: { schema: schemaOf(text) } });
      const { version } = await client.createBotVersion({ id: bot.id, name: 'Stored' });
      await client.updateBot({ id: bot.id, configuration: { schema: schemaOf('Changed') } });
      await client.deployBotVersion({ id: bot.id, versionId: version.id });
      const noteIn = ({ configuration }: Any) => configuration.schema.properties.note.description;
      return {
        'its reader': async () =>
          noteIn((await workspace.call('GET', `/bots/${bot.id}/versions/${version.id}`)).body.definition),
        'the bot after its deployment': async () => noteIn((await client.getBot({ id: bot.id })).bot),
      };
    },
  },
];

/** Code that stores small values, or whose values other tests cover. */
export const COVERED_ELSEWHERE: Record<string, string> = {
  'shared/events/delivery/completeOutgoing.ts': 'The event has three ids and a reason of limited length.',
  'shared/events/timers/fireTimer.ts': 'A definition of a bot limits the payload.',
  'shared/domain/botChat/handoffs/handoffEvents.ts': 'The events have names, ids and a reason of limited length.',
  'shared/storage/dynamodb/maintenance/resealSecrets.ts': 'test/infra/operator/rotation',
  'shared/storage/dynamodb/integrations/integrations.ts': 'Stored like the definition of a bot.',
  'shared/storage/dynamodb/integrations/packages.ts': 'Stored like the definition of a bot.',
  'shared/domain/transfer/lines.ts': 'test/shared/domain/transfer/roundTrip.slow.test.ts exports all storage forms.',
  'shared/domain/transfer/archive.ts': 'test/functions/admin/workspaces/exportWorkspace.test.ts',
};

export const SOURCES: readonly Source[] = [...messages, ...events, ...settings];
