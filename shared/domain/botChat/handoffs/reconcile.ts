/**
 * Updates open handoffs whose dependencies have ended (docs/data-model.md#holders). A handoff ends when its
 * installation is removed or its last user leaves. It returns to the queue when its assignee can no longer be assigned.
 */
import { type Bot, findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Conversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { findHandoff, type Handoff, type HandoffActor, isOpen } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { hasFormerParticipants, isParticipant, listParticipants } from '#shared/storage/dynamodb/chat/participants.ts';
import { findUsers, isStandIn } from '#shared/storage/dynamodb/chat/users.ts';
import { retryConflicts, type Write, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { findAgent, type HandoffCall } from './handoffMembers.ts';
import { close, release } from './transitions.ts';

const LEFT: HandoffActor = { type: 'user', id: 'user', name: 'User' };
const PAGE = 25;

/** Idempotent. Returns true if it changed the handoff. */
export async function reconcileHandoff(botId: string, handoffId: string, nowMs: number): Promise<boolean> {
  return retryConflicts(async () => {
    const bot = await findBot(botId);
    if (!bot || bot.deletedAtMs !== undefined) return false;
    const writes = await changesOf(bot, handoffId, nowMs);
    if (writes.length === 0) return false;
    await write(writes);
    return true;
  });
}

async function changesOf(bot: Bot, handoffId: string, nowMs: number): Promise<Write[]> {
  const found = await findHandoff(bot.id, handoffId);
  if (!found || !isOpen(found.handoff)) return [];
  const { handoff, conversation } = found;
  const call: HandoffCall = {
    bot,
    botId: bot.id,
    workspaceId: bot.workspaceId,
    installation: undefined,
    principal: { kind: 'bot', botId: bot.id },
    nowMs,
  };
  if (!isInstalled(bot, conversation)) return (await close(call, handoff, conversation)).writes;
  // The bot creates the users of a session. They cannot leave it.
  if (!conversation.isHitlSession && (await hasLostUsers(bot.id, conversation, handoff))) {
    return (await close(call, handoff, conversation, { endedBy: LEFT })).writes;
  }
  const keepsMember = handoff.member === undefined || (await findAgent(call, handoff.member.id));
  return keepsMember ? [] : (await release(call, handoff, conversation)).writes;
}

/** A conversation that the bot created without an integration has an empty webhook id. */
const isInstalled = ({ installations }: Bot, { webhookId }: Conversation) =>
  webhookId === '' || installations.some(each => each.webhookId === webhookId);

/** Returns true if users have left the conversation, and only the bot and its members remain. */
async function hasLostUsers(botId: string, conversation: Conversation, { member }: Handoff): Promise<boolean> {
  if (!(await hasFormerParticipants(botId, conversation.id))) return false;
  let after: string | undefined;
  do {
    const page = await listParticipants(botId, conversation.id, { after, limit: PAGE });
    const others = page.filter(({ userId }) => userId !== botId && userId !== member?.userId);
    const users = await findUsers(
      botId,
      others.map(({ userId }) => userId),
    );
    const isPresent = users.some((user, i) => user && !isStandIn(user) && isParticipant(others[i], conversation, user));
    if (isPresent) return false;
    after = page.length === PAGE ? page.at(-1)!.userId : undefined;
  } while (after !== undefined);
  return true;
}
