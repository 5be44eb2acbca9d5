/** A bot with a given number of records of a kind, written in batches by the operations' repositories. */

import { newConversationId, newPosition, newUserId, newWorkflowId, timelineId } from '#shared/core/ids.ts';
import { widenBot } from '#shared/storage/dynamodb/bots/bots.ts';
import {
  newConversation,
  putNewConversation,
  taggedConversation,
} from '#shared/storage/dynamodb/chat/conversations.ts';
import { type Event, newEventId, putNewEvent } from '#shared/storage/dynamodb/chat/events.ts';
import { appendEntry } from '#shared/storage/dynamodb/chat/timeline.ts';
import { newUser, putNewUser, taggedUser } from '#shared/storage/dynamodb/chat/users.ts';
import { putNewWorkflow, type Workflow } from '#shared/storage/dynamodb/chat/workflows.ts';
import { sendBatches } from '#shared/storage/dynamodb/engine/batch.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { changeFile } from '#shared/storage/dynamodb/files/files.ts';
import { rememberListShards } from '#shared/storage/dynamodb/partitioning/listShards.ts';
import { tagWrites } from '#shared/storage/dynamodb/tags/tags.ts';
import { putAudit, SYSTEM_ACTOR } from '#shared/storage/dynamodb/workspace/audit.ts';
import { newOwnedWorkspace } from '#test/support/tenants.ts';
import { newFile } from './items.ts';
import { type Caller, callPlatform } from './platformCalls.ts';

export interface GrowingBot {
  owner: Required<Pick<Caller, 'token' | 'workspaceId'>>;
  bot: Required<Pick<Caller, 'token' | 'botId'>>;
  /** The id of the record in the middle of the list; for rows, the id of their table. */
  id: string;
}

export const KINDS = ['user', 'conversation', 'workflow', 'event', 'message', 'file', 'row', 'audit'] as const;
export type Kind = (typeof KINDS)[number];
/** Rows are created through the API. */
type RecordKind = Exclude<Kind, 'row'>;

const PER_BATCH = 2_000;
/** Fits the timeout of a call on a busy machine. */
const ROWS_PER_CALL = 200;
/** One record of a hundred has the rare value. */
const isRare = (index: number) => index % 100 === 0;
const tagsOf = (index: number) => ({ plan: isRare(index) ? 'gold' : 'free' });

const refused = () => new Error('An item of the bench is there already.');
const unsent = (parts: readonly Write[]) => parts.flatMap(part => ('put' in part ? [part.put.Item] : []));

export async function grow(kind: Kind, count: number, { isWide = false } = {}): Promise<GrowingBot> {
  const { workspaceId, token } = await newOwnedWorkspace('Growth');
  const owner = { token, workspaceId };
  const { bot: made } = await callPlatform(owner, { group: 'admin', name: 'createBot', body: {} });
  const botId: string = made.id;
  const key = await callPlatform(owner, { group: 'admin', name: 'createBotApiKey', body: { botId } });
  const bot = { token: key.value as string, botId };
  if (isWide) {
    await widenBot(botId, 1);
    rememberListShards({ id: botId, wideFromMs: 1 });
  }
  const id = kind === 'row' ? await fillTable(bot, count) : await fillRecords(kind, botId, workspaceId, count);
  return { owner, bot, id };
}

async function fillRecords(kind: RecordKind, botId: string, workspaceId: string, count: number): Promise<string> {
  const talk = newConversationId();
  const startMs = Date.now() - count;
  let middle = '';
  let items: ReturnType<typeof unsent> = [];
  let sent = Promise.resolve();
  for (let i = 0; i < count; i++) {
    const { id, writes } = await RECORDS[kind]({ botId, workspaceId, talk, index: i, nowMs: startMs + i });
    if (i === Math.floor(count / 2)) middle = id;
    items.push(...unsent(writes));
    if (items.length < PER_BATCH && i < count - 1) continue;
    const batch = new Map(items.map(Item => [`${Item.pk} ${Item.sk}`, { PutRequest: { Item } }]));
    items = [];
    // One batch is in flight while the next is built.
    await sent;
    sent = sendBatches([...batch.values()]);
  }
  await sent;
  const talked = newConversation({ id: talk, webhookId: 'none', integration: 'none', channel: 'channel' }, startMs);
  await sendBatches(unsent([putNewConversation(botId, talked)]).map(Item => ({ PutRequest: { Item } })));
  return middle;
}

interface At {
  botId: string;
  workspaceId: string;
  talk: string;
  index: number;
  nowMs: number;
}
interface Made {
  id: string;
  writes: Write[];
}

/** Skips the reads of known tags, which would dominate the duration. */
const KNOWN = [false];
const installation = { webhookId: 'none', integration: 'none' };

const RECORDS: Record<RecordKind, (at: At) => Promise<Made> | Made> = {
  user: async ({ botId, index, nowMs }) => {
    const user = newUser({ id: newUserId(nowMs), ...installation, name: `User ${index}`, tags: tagsOf(index) }, nowMs);
    const tags = await tagWrites(botId, taggedUser(user), user.tags, KNOWN);
    return { id: user.id, writes: [putNewUser(botId, user, refused), ...tags] };
  },
  conversation: async ({ botId, index, nowMs }) => {
    const start = { id: newConversationId(nowMs), ...installation, channel: 'channel', tags: tagsOf(index) };
    const conversation = newConversation(start, nowMs);
    const tags = await tagWrites(botId, taggedConversation(conversation), conversation.tags, KNOWN);
    return { id: conversation.id, writes: [putNewConversation(botId, conversation), ...tags] };
  },
  workflow: ({ botId, index, nowMs }) => {
    const workflow: Workflow = {
      id: newWorkflowId(nowMs),
      name: 'order',
      status: isRare(index) ? 'listening' : 'completed',
      tags: {},
      timeoutAtMs: nowMs + 86_400_000,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      version: 1,
      p: '{"input":{},"output":{}}',
    };
    return { id: workflow.id, writes: putNewWorkflow(botId, workflow) };
  },
  event: ({ botId, index }) => {
    const event: Event = {
      id: newEventId({}),
      type: 'custom',
      status: isRare(index) ? 'failed' : 'processed',
      p: '{}',
    };
    return { id: event.id, writes: putNewEvent(botId, event) };
  },
  message: ({ botId, talk, index, nowMs }) => {
    const position = newPosition(nowMs);
    const payload = { p: JSON.stringify({ type: 'text', text: `Message ${index}: where is my order?` }) };
    const entry = { kind: 'message' as const, position, userId: botId, generation: 0, payload };
    return { id: timelineId('msg', talk, position), writes: [appendEntry(botId, talk, entry)] };
  },
  file: async ({ botId, workspaceId, index, nowMs }) => {
    const key = `folder/file ${index}.txt`;
    const draft = newFile(botId, key, tagsOf(index), nowMs);
    const { writes } = await changeFile({ id: botId, workspaceId }, undefined, draft, nowMs);
    return { id: draft.id, writes };
  },
  audit: ({ workspaceId, index, nowMs }) => ({
    id: String(index),
    writes: [putAudit(workspaceId, SYSTEM_ACTOR, { action: 'UPDATE_BOT', resourceId: String(index) }, nowMs)],
  }),
};

async function fillTable(bot: Caller, count: number): Promise<string> {
  const schema = { email: 'a@example.com', name: 'Ada', age: 36 };
  const body = { name: 'growthTable', schema, keyColumn: 'email' };
  const { table } = await callPlatform(bot, { group: 'tables', name: 'createTable', body });
  for (let done = 0; done < count; done += ROWS_PER_CALL) {
    const rows = Array.from({ length: Math.min(ROWS_PER_CALL, count - done) }, (_, i) => ({
      email: `user${done + i}@example.com`,
      name: `User ${done + i}`,
      age: (done + i) % 90,
    }));
    await callPlatform(bot, { group: 'tables', name: 'createTableRows', path: [table.id], body: { rows } });
  }
  return table.id;
}
