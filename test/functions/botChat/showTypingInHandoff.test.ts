import { beforeAll, describe, expect, it } from 'vitest';
import { findPresence } from '#shared/storage/dynamodb/chat/presence.ts';
import { handoffsOf, newTalk } from '#test/support/handoffs.ts';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const typing = (token: string, id: string, body: unknown = {}) =>
  bot.call('POST', `/handoffs/${id}/typing`, { token, body });

describe('POST /v1/chat/handoffs/{id}/typing', () => {
  it('shows end users that the member is typing, and that they stopped', async () => {
    const { conversationId } = await newTalk(bot);
    const { token, accountId } = bot.workspace.owner;
    const { body } = await handoffsOf(bot, token).start(conversationId, { accountId });
    const { id, member } = body.handoff;

    const { status, body: answer } = await typing(token, id);
    const begun = (await findPresence(bot.id, conversationId)).filter(({ kind }) => kind === 'typing');
    await typing(token, id, { isTyping: false });
    const ended = (await findPresence(bot.id, conversationId)).filter(({ kind }) => kind === 'typing');

    expect({ status, answer }).toEqual({ status: 200, answer: {} });
    expect(begun).toMatchObject([{ kind: 'typing', userId: member.userId, isTyping: true }]);
    expect(ended).toMatchObject([{ kind: 'typing', userId: member.userId, isTyping: false }]);
  });

  it('returns 409 to a member who is not the assignee', async () => {
    const { conversationId } = await newTalk(bot);
    const { body } = await handoffsOf(bot).start(conversationId);

    const answer = await typing(bot.workspace.owner.token, body.handoff.id);

    expect(answer).toMatchObject({ status: 409, body: { type: 'RelationConflict' } });
  });
});
