/** An exchange of a bot with the stand-in of a provider, through an integration that runs as deployed code. */
import assert from 'node:assert/strict';
import type { Client } from '@botpress/client';
import type { LocalFile } from '#infra/local/demo.ts';
import { type Browser, startOAuth } from './oauth.ts';
import type { Delivered, RecordingBot } from './recordingBot.ts';
import { type Answers, matchesRoute, type ProviderCall, type StandIn } from './standIn.ts';
import { until } from './until.ts';

/** An integration of the public repository and its provider. */
export interface ProviderTest {
  answers: Answers;
  /** Values of the secrets that the integration declares. */
  secrets?: Record<string, string>;
  run(exchange: Exchange): Promise<void>;
}

type Installation = NonNullable<Awaited<ReturnType<Client['getBot']>>['bot']['integrations'][string]>;

export interface Exchange {
  bot: RecordingBot;
  /** The webhook that all installations of the integration share. */
  sharedUrl: string;
  /** Installs or changes the integration. Returns the installation after its registration. */
  install(configuration?: object, configurationType?: string): Promise<Installation>;
  /** Waits until the installation is registered. */
  registered(): Promise<Installation>;
  connect(installation: Installation): Promise<Browser>;
  /** Waits for a request of the integration to the provider. */
  asked(route: string, matches?: (call: ProviderCall) => unknown): Promise<ProviderCall>;
  /** Waits for an event of the bot. Returns its payload. */
  heard(type: string): Promise<Delivered>;
  /** Waits for an incoming message with a text. */
  received(text: string): Promise<Delivered>;
  /** Sends a text as the bot. */
  reply(conversationId: string, text: string): Promise<void>;
  /** Runs an action of the integration. Returns its output. */
  act(type: string, input: object): Promise<Delivered>;
  say(text: string): void;
}

export function startExchange(
  name: string,
  integrationId: string,
  { owner, local, bot, standIn }: { owner: Client; local: LocalFile; bot: RecordingBot; standIn: StandIn },
): Exchange {
  const say = (text: string) => process.stdout.write(`ok   ${name}: ${text}\n`);
  return {
    bot,
    sharedUrl: `${local.apiUrl}/webhook/integration/${integrationId}`,
    install: async (configuration = {}, configurationType) => {
      const { bot: after } = await owner.updateBot({
        id: bot.id,
        integrations: {
          [name]: { integrationId, enabled: true, configuration, ...(configurationType ? { configurationType } : {}) },
        },
      });
      return after.integrations[name]!;
    },
    registered: () =>
      until('the registration', async () => {
        const installation = (await owner.getBot({ id: bot.id })).bot.integrations[name]!;
        return installation.status === 'registered' ? installation : undefined;
      }),
    connect: ({ id }) => startOAuth(local, bot.id, id),
    asked: (route, matches = () => true) =>
      until(route, () => standIn.calls.find(call => matchesRoute(route, call) && matches(call))),
    heard: async type => {
      const { event } = await until(`the event ${type}`, () =>
        bot.delivered.find(each => each.type === `${name}:${type}`),
      );
      return event.payload;
    },
    received: async text => {
      const { event } = await until(`the message «${text}»`, () =>
        bot.delivered.find(
          ({ type, event }) => type === 'message_created' && event.payload.message.payload.text === text,
        ),
      );
      assert.equal(event.payload.message.direction, 'incoming');
      return event.payload.message;
    },
    reply: async (conversationId, text) => {
      await bot.client.createMessage({ conversationId, userId: bot.id, type: 'text', payload: { text }, tags: {} });
    },
    act: async (type, input) => (await bot.client.callAction({ type: `${name}:${type}`, input })).output,
    say,
  };
}
