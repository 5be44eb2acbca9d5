/** Tests which messages the bot receives before, during and after a handoff. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VARIABLES } from '#shared/core/environment.ts';
import { withhold } from '#shared/events/delivery/withhold.ts';
import { findConversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { findEvent, putNewEvent, timelineEventId } from '#shared/storage/dynamodb/chat/events.ts';
import { findHandoff, findHandoffAt } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { dieWithin } from '#test/support/crashes.ts';
import { pass, SECOND_MS } from '#test/support/deliveries.ts';
import { startEndpoint, type TestEndpoint } from '#test/support/endpoint.ts';
import { handoffsOf, newTalk } from '#test/support/handoffs.ts';
import { isLeftOut, newBot, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let endpoint: TestEndpoint;
/** Texts that the endpoint rejects with 503. */
let failing: Set<string>;
let bot: TestBot;

beforeEach(async () => {
  process.env[VARIABLES.firstPauseMs] = '1';
  failing = new Set();
  endpoint = await startEndpoint(({ operation, body }, response) => {
    const text = operation === 'event_received' ? body.event.payload.message?.payload.text : undefined;
    response.writeHead(failing.has(text) ? 503 : 200).end('{}');
  });
  bot = await newBot();
  await bot.workspace.owner.client.updateBot({ id: bot.id, url: endpoint.url });
});
afterEach(() => {
  endpoint.stop();
  delete process.env[VARIABLES.firstPauseMs];
});

/** Texts of messages and types of other events, as the bot received them. */
const received = (conversationId: string): string[] =>
  endpoint
    .events()
    .filter(event => event.conversationId === conversationId)
    .map(({ type, payload }) => (type === 'message_created' ? payload.message.payload.text : type));

describe('a bot', () => {
  it('receives no message of a user between the start and end events', async () => {
    const { conversationId, say } = await newTalk(bot);
    await say('before');
    const { body } = await handoffsOf(bot).start(conversationId);
    await say('waiting');
    await handoffsOf(bot, bot.workspace.owner.token).assign(body.handoff.id);
    await say('served');
    await settled();
    await handoffsOf(bot, bot.workspace.owner.token).end(body.handoff.id);
    await say('after');
    await settled();

    expect(received(conversationId)).toEqual(['before', 'handoff_started', 'handoff_ended', 'after']);
    const { events } = await bot.client.listEvents({ conversationId, status: 'ignored' });
    expect(events.map(({ payload }) => payload.message.payload.text)).toEqual(['served', 'waiting']);
    for (const { failureReason } of events)
      expect(failureReason).toBe(`Withheld, because a member is assigned. See the handoff ${body.handoff.id}.`);
  });

  it('receives no custom event of a user during a handoff', async () => {
    const { conversationId, client } = await newTalk(bot);
    await handoffsOf(bot).start(conversationId);

    await client.createEvent({ conversationId, payload: { clicked: true } });
    await settled();

    expect(received(conversationId)).toEqual(['handoff_started']);
  });

  it('receives its own events during a handoff', async () => {
    const { conversationId } = await newTalk(bot);
    await handoffsOf(bot).start(conversationId);

    await bot.client.createEvent({ conversationId, type: 'reminder', payload: {} });
    await settled();

    expect(received(conversationId)).toEqual(['handoff_started', 'reminder']);
  });

  it('receives messages of other conversations during a handoff', async () => {
    const [one, other] = [await newTalk(bot), await newTalk(bot)];
    await handoffsOf(bot).start(one.conversationId);

    await other.say('hello');
    await settled();

    expect(received(other.conversationId)).toEqual(['hello']);
  });

  it('does not receive a retried message of the handoff after its end', async () => {
    const { conversationId, say } = await newTalk(bot);
    failing.add('stuck');
    await say('stuck');
    await settled();
    const { body } = await handoffsOf(bot).start(conversationId);
    await say('withheld');
    await handoffsOf(bot).end(body.handoff.id);
    await say('after');

    failing.clear();
    await pass(60 * SECOND_MS, 10 * SECOND_MS);

    const texts = received(conversationId);
    expect(texts).not.toContain('withheld');
    expect(texts.slice(-4)).toEqual(['stuck', 'handoff_started', 'handoff_ended', 'after']);
  });

  it('receives only the messages between two handoffs', async () => {
    const { conversationId, say } = await newTalk(bot);
    for (const name of ['first', 'second']) {
      const { body } = await handoffsOf(bot).start(conversationId);
      await say(`in the ${name}`);
      await handoffsOf(bot).end(body.handoff.id);
      await say(`after the ${name}`);
    }
    await settled();

    const each = (name: string) => ['handoff_started', 'handoff_ended', `after the ${name}`];
    expect(received(conversationId)).toEqual([...each('first'), ...each('second')]);
  });
});

describe('withhold', () => {
  /** Creates a message that an open handoff withholds. Its event is pending, because the bot has no endpoint. */
  async function scene() {
    bot = await newBot();
    const { conversationId, say } = await newTalk(bot);
    const { body } = await handoffsOf(bot).start(conversationId);
    const messageId = await say('hello');
    const position = messageId.slice('msg_'.length, 'msg_'.length + 10);
    const id = timelineEventId(conversationId, position);
    await write(putNewEvent(bot.id, { id, type: 'message_created', status: 'pending', conversationId, messageId }));
    const event = (await findEvent(bot.id, id))!;
    const { handoff } = (await findHandoff(bot.id, body.handoff.id))!;
    return { conversationId, position, event, handoff: handoff! };
  }

  it('fails if the handoff has ended since it was read, so that its final span applies to the message', async () => {
    const { event, handoff } = await scene();
    await handoffsOf(bot).end(handoff.id);

    await expect(withhold(bot.id, event, handoff)).rejects.toThrow(WriteConflict);

    expect((await findEvent(bot.id, event.id))!.status).toBe('pending');
  });

  it.skipIf(isLeftOut('faults')).each(['unsent', 'lost'] as const)(
    'is completed by the next run of a function that crashes at any of its calls (%s)',
    async death => {
      let deaths = 0;
      for (let at = 1; ; at++) {
        const { event, handoff } = await scene();
        const run = () => withhold(bot.id, event, handoff);
        const hasDied = await dieWithin({ at, death }, run);
        if (!hasDied) break;
        deaths++;
        await run();

        expect((await findEvent(bot.id, event.id))!.status).toBe('ignored');
        expect((await findHandoff(bot.id, handoff.id))!.handoff.withheldTo).toBeDefined();
      }

      expect(deaths).toBe(1);
    },
  );

  it('extends the span of the ended handoff to every withheld message', async () => {
    const { conversationId, position, event, handoff } = await scene();

    const [answer] = await Promise.all([
      handoffsOf(bot).end(handoff.id),
      withhold(bot.id, event, handoff).catch(() => {}),
    ]);

    expect(answer.status).toBe(200);
    const conversation = (await findConversation(bot.id, conversationId))!;
    const found = await findHandoffAt(bot.id, conversation, position);
    const isWithheld = (await findEvent(bot.id, event.id))!.status === 'ignored';
    if (isWithheld) expect(found?.id).toBe(handoff.id);
  });

  it('accepts an event that was processed before', async () => {
    const { event, handoff } = await scene();
    await withhold(bot.id, event, handoff);

    await withhold(bot.id, event, handoff);

    expect((await findEvent(bot.id, event.id))!.status).toBe('ignored');
  });
});
