/** Definition of the integration chat 1.0.0. It matches the ecosystem's packages, so that tools generate its types. */
import { createRequire } from 'node:module';

// The package's ES module does not load in Node.
const { messages, z }: typeof import('@botpress/sdk') = createRequire(import.meta.url)('@botpress/sdk');

type ObjectSchema = ReturnType<typeof z.object>;
// biome-ignore lint/suspicious/noExplicitAny: a JSON schema
const json = (schema: Pick<ObjectSchema, 'toJSONSchema'>) => schema.toJSONSchema() as Record<string, any>;

const { bloc: _, ...plain } = messages.defaults;
const MESSAGES = Object.fromEntries(
  Object.entries({ ...plain, bloc: messages.markdownBloc, markdown: messages.markdown }).map(([type, { schema }]) => [
    type,
    { schema: json((schema as unknown as ObjectSchema).extend({ metadata: z.record(z.any()).optional() })) },
  ]),
);

const conversationId = z.string().title('Conversation ID');
const payload = z.record(z.any()).title('Payload');
const NOTHING = { schema: json(z.object({})) };

const STREAM_SIGNAL = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('delta'),
    streamId: z.string(),
    createdAt: z.string(),
    clientMessageId: z.string().optional(),
    sequence: z.number(),
    delta: z.string(),
  }),
  z.object({ type: z.literal('abort'), streamId: z.string() }),
]);

export const CHAT_DEFINITION = {
  name: 'chat',
  version: '1.0.0',
  title: 'Chat',
  description: 'Conversations with a bot over HTTP.',
  configuration: {
    schema: json(
      z.object({
        encryptionKey: z.string().optional().title('Encryption Key'),
        webhookUrl: z.string().optional().title('Webhook URL'),
        webhookSecret: z.string().secret().optional().title('Webhook Secret'),
      }),
    ),
  },
  events: {
    custom: {
      title: 'Custom Event',
      description: 'An event that a user sends to the bot.',
      schema: json(z.object({ userId: z.string().title('User ID'), conversationId, payload })),
    },
  },
  actions: {
    sendEvent: {
      title: 'Send Custom Event',
      description: 'Sends an event of the bot to the listeners of a conversation.',
      input: { schema: json(z.object({ conversationId, payload })) },
      output: NOTHING,
    },
    publishMessageStream: {
      title: 'Publish Message Stream',
      description: 'Sends a part of a message to listeners while it is generated.',
      input: { schema: json(z.object({ conversationId, signal: STREAM_SIGNAL })) },
      output: NOTHING,
    },
    startHandoff: {
      title: 'Start Handoff',
      description: 'Hands a conversation over to the members of the workspace.',
      input: {
        schema: json(
          z.object({
            conversationId,
            reason: z.string().max(1_000).optional().title('Reason'),
            priority: z.enum(['urgent', 'high', 'normal', 'low']).optional().title('Priority'),
          }),
        ),
      },
      output: { schema: json(z.object({ handoffId: z.string(), status: z.enum(['waiting', 'served']) })) },
    },
    endHandoff: {
      title: 'End Handoff',
      description: 'Returns a conversation to the bot.',
      input: {
        schema: json(
          z.object({
            conversationId,
            servedBy: z.string().optional().title('Assigned Member'),
            outcome: z.enum(['handedBack', 'resolved']).optional().title('Outcome'),
          }),
        ),
      },
      output: NOTHING,
    },
  },
  channels: {
    channel: {
      title: 'Chat Channel',
      description: 'Messages over HTTP.',
      messages: MESSAGES,
      message: { tags: { fid: { title: 'Foreign ID' } } },
      conversation: { tags: { owner: { title: 'Conversation Owner' }, fid: { title: 'Foreign ID' } } },
    },
  },
  user: { tags: { fid: { title: 'Foreign ID' }, profile: { title: 'User Profile' } } },
};
