/** Definition of the integration webchat, limited to the parts that bots and tools use. */
import { createRequire } from 'node:module';
import { CHAT_DEFINITION } from './chatDefinition.ts';

// The package's ES module does not load in Node.
const { z }: typeof import('@botpress/sdk') = createRequire(import.meta.url)('@botpress/sdk');

type ObjectSchema = ReturnType<typeof z.object>;
// biome-ignore lint/suspicious/noExplicitAny: a JSON schema
const json = (schema: ObjectSchema) => schema.toJSONSchema() as Record<string, any>;

const conversationId = z.string().title('Conversation ID');
const action = (title: string, input: ObjectSchema, output: ObjectSchema = z.object({})) => ({
  title,
  input: { schema: json(input) },
  output: { schema: json(output) },
});
const inConversation = z.object({ conversationId });

export const WEBCHAT_DEFINITION = {
  name: 'webchat',
  version: '1.0.0',
  title: 'Webchat',
  description: 'Conversations with a bot in a web page.',
  configuration: { schema: json(z.object({ encryptionKey: z.string().optional().title('Encryption Key') })) },
  events: CHAT_DEFINITION.events,
  actions: {
    ...CHAT_DEFINITION.actions,
    showWebchat: action('Show Webchat', inConversation),
    hideWebchat: action('Hide Webchat', inConversation),
    toggleWebchat: action('Toggle Webchat', inConversation),
    configWebchat: action('Configure Webchat', z.object({ conversationId, config: z.string().title('Configuration') })),
    customEvent: action('Send Custom Event', z.object({ conversationId, event: z.string().title('Event') })),
    getUserData: action(
      'Get User Data',
      z.object({ userId: z.string().title('User ID') }),
      z.object({ userData: z.record(z.any()).optional() }),
    ),
    getOrCreateUser: action(
      'Get or Create User',
      z.object({
        name: z.string().optional().title('Name'),
        pictureUrl: z.string().optional().title('Picture URL'),
        email: z.string().optional().title('Email'),
        user: z.object({ id: z.string().title('ID'), conversationId }),
      }),
      z.object({ userId: z.string().title('User ID') }),
    ),
    startTypingIndicator: action('Start Typing Indicator', inConversation),
    stopTypingIndicator: action('Stop Typing Indicator', inConversation),
  },
  channels: CHAT_DEFINITION.channels,
  user: CHAT_DEFINITION.user,
};
