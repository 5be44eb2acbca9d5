/**
 * The chat integration's action `publishMessageStream`, which sends a part of a message while a bot generates it. The
 * parts are sent directly to open connections and never stored. The final message replaces them.
 */
import * as z from 'zod/mini';
import { clock } from '#shared/core/clock.ts';
import { notFound } from '#shared/core/errors.ts';
import { requireConversation } from '#shared/domain/botChat/botChatConversations.ts';
import type { CallerScope } from '#shared/domain/messaging/callerScope.ts';
import { isStillParticipant } from '#shared/domain/messaging/participation.ts';
import type { MessageStreamSignal } from '#shared/domain/messaging/streamSignals.ts';
import { sendTransient } from '#shared/outbound/connections/sendTransient.ts';
import type { Installation } from '#shared/storage/dynamodb/bots/installation.ts';
import type { Conversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { findParticipantsOf } from '#shared/storage/dynamodb/chat/participants.ts';
import { allConnectionsTo, type ListenerConnection } from '#shared/storage/dynamodb/connections/connections.ts';
import { parseActionInput } from './actionInputs.ts';

/** JSON needs up to six times as much, which still fits a frame. */
const DELTA_BYTES = 16 * 1024;
/** Limits a stream without counting its deltas in the table. */
const LAST_SEQUENCE = 9_999;

const id = () => z.string().check(z.minLength(1), z.maxLength(200));

const Delta = z.object({
  type: z.literal('delta'),
  streamId: id(),
  createdAt: z.iso.datetime({ offset: true }),
  clientMessageId: z.optional(id()),
  sequence: z.int().check(z.gte(0), z.lte(LAST_SEQUENCE)),
  delta: z
    .string()
    .check(
      z.refine(text => Buffer.byteLength(text) <= DELTA_BYTES, `Must have at most ${DELTA_BYTES} bytes in UTF-8.`),
    ),
});
const Abort = z.object({ type: z.literal('abort'), streamId: id() });

const Input = z.object({ conversationId: z.string(), signal: z.discriminatedUnion('type', [Delta, Abort]) });

/**
 * @param installation whose conversation it must be
 * @throws ApiError InvalidPayload, ResourceNotFound
 */
export async function publishMessageStream(
  scope: CallerScope,
  input: unknown,
  { webhookId }: Pick<Installation, 'webhookId'>,
): Promise<Record<string, unknown>> {
  const { conversationId, signal } = parseActionInput(Input, input);
  const { botId } = scope;
  const conversation = await requireConversation(scope, conversationId);
  if (conversation.webhookId !== webhookId) throw notFound(`The conversation ${conversationId}`);
  const frame = JSON.stringify(signalOf(botId, conversation, signal));
  await sendTransient(await participantsConnections(botId, conversation), frame);
  return {};
}

function signalOf(
  botId: string,
  { id, foreignId = id }: Conversation,
  signal: z.infer<typeof Input>['signal'],
): MessageStreamSignal {
  if (signal.type === 'abort') {
    return { type: 'message_stream_abort', data: { streamId: signal.streamId, conversationId: foreignId } };
  }
  const { streamId, createdAt, clientMessageId, sequence, delta } = signal;
  return {
    type: 'message_stream_delta',
    data: { streamId, conversationId: foreignId, userId: botId, createdAt, clientMessageId, sequence, delta },
  };
}

/** A connection stays open for seconds after its rights have ended, so they are checked. */
async function participantsConnections(botId: string, { id }: Conversation): Promise<ListenerConnection[]> {
  const connections: ListenerConnection[] = [];
  const nowMs = clock.now();
  for (const each of await allConnectionsTo(botId, id)) {
    if (each.kind === 'listener' && (each.expiresAtMs ?? Number.POSITIVE_INFINITY) > nowMs) connections.push(each);
  }
  if (connections.length === 0) return [];
  const userIds = [...new Set(connections.map(({ userId }) => userId))];
  const found = await findParticipantsOf(botId, id, userIds);
  const current = new Map(userIds.map((userId, i) => [userId, found[i]]));
  return connections.filter(each => isStillParticipant(current.get(each.userId), each));
}
