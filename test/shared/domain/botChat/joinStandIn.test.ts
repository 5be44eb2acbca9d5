/** Guests set the attributes by which earlier releases marked stand-ins. */
import { beforeAll, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { derivedUserId } from '#shared/core/ids.ts';
import { putNewUser, newUser as userRecord } from '#shared/storage/dynamodb/chat/users.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { handoffsOf, useTeam } from '#test/support/handoffs.ts';
import { CACHED_MS, call, chat, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { requestJson } from '#test/support/requestJson.ts';
import { ADMIN_SECRET } from '#test/support/requests/chat.ts';

useSharedPlatform();

const { team } = useTeam();

let bot: TestBot;
beforeAll(async () => {
  ({ bot } = team);
  await bot.workspace.owner.client.updateBot({
    id: bot.id,
    integrations: { chat: { configuration: { payloadExtensions: true } } },
  });
});

/** A guest who claims to be a member and a person of another channel, in a conversation. */
async function newGuest() {
  const { user, key, client } = await newUser(bot);
  const attributes = { memberAccountId: team.ada.accountId, standsFor: 'person' };
  await requestJson('PUT', `${bot.chatUrl}/users/me`, {
    headers: { 'x-user-key': key },
    body: { attributes },
  });
  const { conversation } = await client.createConversation({});
  return { id: user.id, key, client, attributes, conversationId: conversation.id };
}

describe('a guest with the attributes of a stand-in', () => {
  it('is not shown as a member', async () => {
    const guest = await newGuest();

    const { participants } = await bot.client.listParticipants({ id: guest.conversationId });

    const found = participants.find(({ id }) => id === guest.id);
    expect(found).toMatchObject({ attributes: guest.attributes });
    expect(found).not.toHaveProperty('memberAccountId');
  });

  it('is not accepted as a user on whose behalf the bot writes', async () => {
    const guest = await newGuest();

    const { message } = await bot.client.createMessage({
      conversationId: guest.conversationId,
      userId: bot.id,
      type: 'text',
      payload: { text: 'Hello', userId: guest.id },
      tags: {},
    });

    expect(message.userId).toBe(bot.id);
  });

  it('cannot set the fields of a stand-in', async () => {
    const guest = await newGuest();

    const { user } = await requestJson('PUT', `${bot.chatUrl}/users/me`, {
      headers: { 'x-user-key': guest.key },
      body: { name: 'Ada', memberAccountId: team.ada.accountId, personId: 'person' },
    });

    expect(user).not.toHaveProperty('memberAccountId');
    expect((await bot.client.getUser({ id: guest.id })).user).not.toHaveProperty('memberAccountId');
  });
});

describe('an assignee', () => {
  it('has a user with the account in a field', async () => {
    const { conversationId } = await newGuest();
    const { body } = await handoffsOf(bot, team.ada.token).start(conversationId, { accountId: team.ada.accountId });

    const { user } = await bot.client.getUser({ id: body.handoff.member.userId });

    expect(user).toMatchObject({ memberAccountId: team.ada.accountId, attributes: {} });
  });

  it('has no key, and cannot be added to a conversation', async () => {
    const { conversationId } = await newGuest();
    const { body } = await handoffsOf(bot, team.ada.token).start(conversationId, { accountId: team.ada.accountId });
    const { userId } = body.handoff.member;
    await bot.workspace.owner.client.updateBot({
      id: bot.id,
      integrations: { chat: { configuration: { payloadExtensions: true, adminSecret: ADMIN_SECRET } } },
    });
    clock.advance(CACHED_MS);
    const guest = await newGuest();

    const headers = { 'x-admin-secret': ADMIN_SECRET };
    const key = await call(`${bot.chatUrl}/users/key`, { method: 'POST', headers, body: { id: userId } });
    const ofGuest = await call(`${bot.chatUrl}/users/key`, { method: 'POST', headers, body: { id: guest.id } });

    expect([key.status, ofGuest.status]).toEqual([404, 200]);
    await expect(guest.client.addParticipant({ conversationId: guest.conversationId, userId })).rejects.toThrow(
      chat.ResourceNotFoundError,
    );
  });

  it('is recognised by the attribute of an earlier release if the id derives from it', async () => {
    const accountId = '8f14e45f-ceea-467f-9575-0123456789ab';
    const id = derivedUserId(bot.id, bot.webhookId, 'member', accountId);
    const user = userRecord(
      { id, webhookId: bot.webhookId, integration: 'chat', attributes: { memberAccountId: accountId } },
      0,
    );
    await write([putNewUser(bot.id, user, () => new Error('The user exists.'))]);

    const found = await bot.client.getUser({ id });

    expect(found.user).toMatchObject({ memberAccountId: accountId, attributes: {} });
  });
});
