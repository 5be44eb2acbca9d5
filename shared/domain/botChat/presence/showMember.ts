import { actorOf, type HandoffCall } from '#shared/domain/botChat/handoffs/handoffMembers.ts';
import type { Conversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import {
  MAX_MEMBERS,
  type MemberPresence,
  type MemberState,
  removeMember,
  showMember,
  stateAt,
} from '#shared/storage/dynamodb/chat/memberPresence.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';

/** Several tabs of a member renew the same presence. */
const REPEATED_MS = 10_000;

/** Returns the write that changes the presence of the caller, if it is necessary, and the members after it. */
export function changePresence(
  call: HandoffCall,
  { id: conversationId, generation }: Pick<Conversation, 'id' | 'generation'>,
  members: readonly MemberPresence[],
  state: MemberState | 'left',
): { members: MemberPresence[]; writes: Write[] } {
  const { botId, nowMs } = call;
  const { id: accountId, name } = actorOf(call);
  const known = members.find(each => each.accountId === accountId);
  const others = members.filter(each => each !== known);
  if (state === 'left') {
    return { members: others, writes: known ? [removeMember(botId, conversationId, accountId)] : [] };
  }
  const ended = others.filter(each => stateAt(each, nowMs) === undefined);
  const isRepeated = known?.state === state && nowMs - known.atMs < REPEATED_MS;
  const isFull = !known && others.length - ended.length >= MAX_MEMBERS;
  if (isRepeated || isFull) return { members: [...members], writes: [] };
  const own = { accountId, name, state, atMs: nowMs, generation };
  return {
    members: [...others, own],
    writes: [
      showMember(
        botId,
        conversationId,
        own,
        ended.map(each => each.accountId),
      ),
    ],
  };
}
