/** Tests that erasure removes all data of a user and none of others. */

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { keepJob } from '#shared/events/consumers/keepDeadLetter.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { listLog, putLogLine } from '#shared/storage/dynamodb/workspace/logs.ts';
import { deadLettersOf } from '#test/support/deadLetters.ts';
import { handoffsOf, newConversation } from '#test/support/handoffs.ts';
import {
  call,
  eventually,
  isLeftOut,
  newBot,
  newUser,
  settled,
  type TestBot,
  usePlatform,
} from '#test/support/platform.ts';
import { recordLog } from '#test/support/recordLog.ts';
import { remainsOf } from '#test/support/remains.ts';
import { random } from '#test/support/seed.ts';
import { sweep } from '#test/support/sweeps.ts';

usePlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const text = (word: string) => ({ type: 'text' as const, text: `It was ${word}.` });
/** Too large for an item, even compressed. */
const bigText = (word: string) =>
  text(`${word} ${Array.from({ length: 60_000 }, () => random().toString(36)).join('')}`);

/** A user whose unique word occurs wherever a user's data can be stored. */
async function talkative(word: string, other: Awaited<ReturnType<typeof newUser>>) {
  const foreignId = `f${word}`;
  const { user, key, client } = await newUser(bot, { id: foreignId, name: word, profile: word });
  const { conversation } = await client.createConversation({ id: `own${word}` });
  const conversationId = conversation.id;
  const { message } = await client.createMessage({ conversationId, payload: text(word) });
  await client.createMessage({ conversationId, payload: bigText(word) });
  await client.createEvent({ conversationId, payload: { word } });
  const send = (path: string, body: object, headers = {}) =>
    call(`${bot.chatUrl}${path}`, { method: 'POST', key, body, headers });
  await send('/messages', { conversationId, payload: text(word) }, { 'idempotency-key': randomUUID() });
  await send(`/messages/${message.id}/feedback`, { value: 'negative', comment: word });
  await send(`/conversations/${conversationId}/typing`, {});

  const shared = (await other.client.createConversation({})).conversation.id;
  await other.client.addParticipant({ conversationId: shared, userId: user.id });
  await client.createMessage({ conversationId: shared, payload: text(word) });
  await other.client.createMessage({ conversationId: shared, payload: text('kept') });
  await call(`${bot.chatUrl}/conversations/${shared}/visit`, {
    method: 'PUT',
    key,
    body: { url: `https://shop.example/${word}`, title: word },
  });
  const left = (await other.client.createConversation({})).conversation.id;
  await other.client.addParticipant({ conversationId: left, userId: user.id });
  await client.createMessage({ conversationId: left, payload: text(word) });
  await other.client.removeParticipant({ conversationId: left, userId: user.id });
  return { user, key, send, shared, left };
}

/** Stores data about the user under an id of the bot's choice. */
async function remember(id: string, word: string) {
  const { client } = bot;
  await client.updateUser({ id, tags: { nick: word } });
  await client.setState({ type: 'user', id, name: 's', payload: { word } });
  await client.createWorkflow({ name: 'w', status: 'pending', userId: id, input: { word } });
  await client.createEvent({ type: 'e', payload: { word }, userId: id });
  await bot.workspace.owner.client.updateBot({ id: bot.id, url: 'http://127.0.0.1:1' });
  const error = new Error('poison');
  const body = JSON.stringify({ botId: bot.id, userId: id, word });
  await keepJob({ consumer: 'test', queue: 'rows', body, group: undefined, error });
}

const internalId = async (word: string) => {
  const { users } = await bot.client.listUsers({ tags: { 'chat:fid': `f${word}` } });
  return users[0]!.id;
};

describe.skipIf(isLeftOut('faults'))('POST /v1/chat/users/{id}/erase', () => {
  it("removes the user's data from table, bucket, vectors and log, and keeps other users' data", async () => {
    const { lines } = recordLog();
    const word = `w${randomUUID().replaceAll('-', '')}`;
    const other = await newUser(bot, { name: 'Somebody else' });
    const { send, shared, left, key } = await talkative(word, other);
    const id = await eventually(() => internalId(word));
    await remember(id, word);
    await settled();
    expect((await remainsOf(bot.id, [word, id])).length).toBeGreaterThan(20);

    const { status, body } = await bot.call('POST', `/users/${id}/erase`, { body: {} });
    await send('/messages', { conversationId: shared, payload: text(word) });
    await settled();
    const afterwards = await send('/messages', { conversationId: shared, payload: text(word) });
    const job = { kind: 'erasure' as const, botId: bot.id, userId: id, untilMs: clock.now(), isSecondPass: true };
    await sweep({ ...job, foreignId: `f${word}` });
    await settled();
    await sweep({ ...job, foreignId: `f${word}` });

    expect([status, body]).toEqual([200, {}]);
    expect(afterwards.status).toBeGreaterThanOrEqual(400);
    expect(await remainsOf(bot.id, [word, id])).toEqual([]);
    expect(await deadLettersOf(bot.id)).toEqual([]);
    expect(lines.filter(line => line.includes(word) && !line.includes('"reason"'))).toEqual([]);
    for (const conversationId of [shared, left]) {
      const { participants } = await other.client.listParticipants({ conversationId });
      expect(participants.map(({ name }) => name)).toEqual(['Somebody else']);
    }
    const { messages } = await other.client.listMessages({ conversationId: shared });
    expect(messages.map(({ payload }) => payload)).toEqual([text('kept')]);
    expect((await call(`${bot.chatUrl}/users/me`, { key })).status).toBeGreaterThanOrEqual(400);
  });

  it('removes the reason of a handoff that names the user', async () => {
    const { user } = await bot.client.createUser({ tags: {} });
    const conversationId = await newConversation(bot);
    const { body } = await handoffsOf(bot).start(conversationId, { reason: `${user.id} asks for a person` });

    await bot.call('POST', `/users/${user.id}/erase`, { body: {} });
    await settled();

    const { handoff } = (await handoffsOf(bot).get(body.handoff.id)).body;
    expect(handoff).toMatchObject({ id: body.handoff.id, status: 'waiting' });
    expect(handoff).not.toHaveProperty('reason');
  });

  it("removes lines about the user's conversations and events from the logs of the bot and its integrations", async () => {
    const { user, client } = await newUser(bot);
    const other = await newUser(bot);
    const { conversation: own } = await client.createConversation({});
    const { conversation: shared } = await other.client.createConversation({});
    await other.client.addParticipant({ conversationId: shared.id, userId: user.id });
    const payload = text('said');
    const said = (await client.createMessage({ conversationId: shared.id, payload })).message.id;
    const kept = (await other.client.createMessage({ conversationId: shared.id, payload })).message.id;
    await settled();
    const { events } = await bot.client.listEvents({ conversationId: shared.id });
    const eventOf = (messageId: string) => events.find(each => JSON.stringify(each).includes(messageId))!.id;
    const lines = {
      'names the conversation in a field': { message: 'a', conversationId: own.id },
      'names the conversation in the text': { message: `Failed in ${own.id}.` },
      'names the event in a field': { message: 'b', eventId: eventOf(said) },
      'names the message in the text': { message: `createMessage of ${said} failed.` },
      'names the event of another user': { message: 'c', eventId: eventOf(kept) },
      'names a conversation of others': { message: 'd', conversationId: shared.id },
      'names nothing': { message: 'Started.' },
    };
    const tenants = [bot.id, bot.integrationId];
    const since = clock.now();
    for (const tenant of tenants)
      for (const line of Object.values(lines))
        await write([putLogLine(tenant, { timestampMs: since, level: 'info', ...line })]);

    await bot.call('POST', `/users/${user.id}/erase`, { body: {} });
    await settled();
    const job = { kind: 'erasure' as const, botId: bot.id, userId: user.id, untilMs: clock.now(), isSecondPass: true };
    await sweep(job, 3);
    await settled();
    await sweep(job);

    const range = { startMs: since, endMs: clock.now(), nowMs: clock.now() };
    for (const tenant of tenants) {
      const found = (await listLog(tenant, range, undefined, () => true)).lines.map(({ message }) => message);
      expect(found.filter(message => Object.values(lines).some(line => line.message === message)).sort()).toEqual([
        'Started.',
        'c',
        'd',
      ]);
    }
  });

  it('erases data of a deleted user, and continues after a timeout', async () => {
    const word = `w${randomUUID().replaceAll('-', '')}`;
    const { user, client } = await newUser(bot, { name: word });
    const other = await newUser(bot);
    const { conversation } = await other.client.createConversation({});
    await other.client.addParticipant({ conversationId: conversation.id, userId: user.id });
    await client.createMessage({ conversationId: conversation.id, payload: text(word) });
    await bot.client.deleteUser({ id: user.id });
    await settled();
    expect((await remainsOf(bot.id, [word])).length).toBeGreaterThan(0);

    const job = { kind: 'erasure' as const, botId: bot.id, userId: user.id, untilMs: clock.now(), isSecondPass: true };
    await sweep(job, 3);
    await settled();
    await sweep(job);

    expect(await remainsOf(bot.id, [word, user.id])).toEqual([]);
  });

  it('returns 404 for an invalid id and for the bot itself, and 200 again for an erased user', async () => {
    const { user } = await bot.client.createUser({ tags: { id: randomUUID() } });

    const answers = await Promise.all([
      bot.call('POST', '/users/nobody/erase', { body: {} }),
      bot.call('POST', `/users/${bot.id}/erase`, { body: {} }),
      bot.call('POST', `/users/${user.id}/erase`, { body: {} }),
    ]);
    const again = await bot.call('POST', `/users/${user.id}/erase`, { body: {} });

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 200]);
    expect(again.status).toBe(200);
    await expect(bot.client.getUser({ id: user.id })).rejects.toMatchObject({ code: 404 });
  });
});
