/**
 * Identifiers. An id alone leads to its item: a message's id contains its conversation, and a conversation or user that
 * a caller named himself (a "foreign id") has an id computed from that name, so nothing is ever looked up twice.
 *
 *     convo_ + 22 characters              time (7) and randomness (15), or a hash of (webhook, foreign id)
 *     user_  + 24 characters              likewise
 *     msg_ / evt_ + 10 + 22 characters    position in the timeline, then the conversation's 22
 *     evb_ + 10 + 22 characters           an event that was not said in a conversation, likewise
 *     wf_  + 25 characters                time (7) and randomness (18)
 *     file_ + 24 characters               a hash of (bot, whose it is, key)
 *     kb_  + 25 characters                time (7) and randomness (18)
 *     table_ + 22 characters              time (7) and randomness (15)
 *
 * All are 28 to 36 characters long, as the ecosystem's ids are (FACTS 1.1), written in base 62 whose order is ASCII
 * order, so that ids made in turn sort in turn. Seven characters of milliseconds last until 2081.
 */
import { hash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = ALPHABET.length;
const TIME_LENGTH = 7;
const SEQUENCE_LENGTH = 3;
const POSITION_LENGTH = TIME_LENGTH + SEQUENCE_LENGTH;
const CONVERSATION_LENGTH = 22;
const USER_LENGTH = 24;
const SEQUENCES = BASE ** SEQUENCE_LENGTH;

const OWN_ID = /^(?:convo_[0-9A-Za-z]{22}|user_[0-9A-Za-z]{24}|(?:msg|evt|evb)_[0-9A-Za-z]{32})$/;
const CONVERSATION_ID = /^convo_[0-9A-Za-z]{22}$/;
const USER_ID = /^user_[0-9A-Za-z]{24}$/;
const TIMELINE_ID = /^(?:msg|evt|evb)_[0-9A-Za-z]{32}$/;
const WORKFLOW_ID = /^wf_[0-9A-Za-z]{25}$/;
/** FACTS' decision; the reference also takes `/` and `\`, which API Gateway cannot route raw in the listen URL. */
const FOREIGN_ID = /^[A-Za-z0-9_-]{1,70}$/;

function encode(value: number, length: number): string {
  let text = '';
  let rest = value;
  for (let i = 0; i < length; i++) {
    text = ALPHABET[rest % BASE] + text;
    rest = Math.floor(rest / BASE);
  }
  return text;
}

function decode(text: string): number {
  let value = 0;
  for (const character of text) value = value * BASE + ALPHABET.indexOf(character);
  return value;
}

/** Bytes as base-62 characters. A byte is no whole number of them, so 8 of 62 are 1.25 times as likely: 5.95 bits each. */
const spell = (bytes: Uint8Array, length: number) => {
  let text = '';
  for (let i = 0; i < length; i++) text += ALPHABET[bytes[i]! % BASE];
  return text;
};

export const randomText = (length: number) => spell(randomBytes(length), length);

/** A hash that is safe to stand in a key: 32 base-62 characters. */
export const hashText = (...parts: string[]) => spell(hash('sha256', JSON.stringify(parts), 'buffer'), 32);

/** The latest time that {@link encodeTime} can write, in 2081. */
export const LAST_MS = BASE ** TIME_LENGTH - 1;
/** Milliseconds since 1970 as 7 sortable characters. */
export const encodeTime = (ms: number) => encode(ms, TIME_LENGTH);
/** The milliseconds that a time or position starts with. */
export const decodeTime = (text: string) => decode(text.slice(0, TIME_LENGTH));

export const newConversationId = (nowMs = Date.now()) =>
  `convo_${encodeTime(nowMs)}${randomText(CONVERSATION_LENGTH - TIME_LENGTH)}`;
export const newUserId = (nowMs = Date.now()) => `user_${encodeTime(nowMs)}${randomText(USER_LENGTH - TIME_LENGTH)}`;

export const isConversationId = (text: string) => CONVERSATION_ID.test(text);
export const isUserId = (text: string) => USER_ID.test(text);
export const isWorkflowId = (text: string) => WORKFLOW_ID.test(text);
export const newWorkflowId = (nowMs = Date.now()) => newRecordId('wf', nowMs);

/** An id that follows from what it is for, so that of many who create it at once one does. */
export const derivedConversationId = (...of: string[]) =>
  `convo_${hashText('conversation by', ...of).slice(0, CONVERSATION_LENGTH)}`;
export const derivedUserId = (...of: string[]) => `user_${hashText('user by', ...of).slice(0, USER_LENGTH)}`;

export const isForeignId = (text: string) => FOREIGN_ID.test(text) && !OWN_ID.test(text);

/** The conversation that a chat caller means: one of our ids, or the one derived from his own; undefined for neither. */
export function resolveConversationId(webhookId: string, text: string): string | undefined {
  if (CONVERSATION_ID.test(text)) return text;
  return isForeignId(text)
    ? `convo_${hashText('conversation', webhookId, text).slice(0, CONVERSATION_LENGTH)}`
    : undefined;
}

/** The user that a chat caller means; like {@link resolveConversationId}. */
export function resolveUserId(webhookId: string, text: string): string | undefined {
  if (USER_ID.test(text)) return text;
  return isForeignId(text) ? `user_${hashText('user', webhookId, text).slice(0, USER_LENGTH)}` : undefined;
}

const FILE_ID = /^file_[0-9A-Za-z]{24}$/;
export const isFileId = (text: string) => FILE_ID.test(text);
/** The file of a key, as whoever owns it calls it. */
export const fileIdOf = (botId: string, scope: string, key: string) =>
  `file_${hashText('file', botId, scope, key).slice(0, 24)}`;
const KNOWLEDGE_BASE_ID = /^kb_[0-9A-Za-z]{25}$/;
export const isKnowledgeBaseId = (text: string) => KNOWLEDGE_BASE_ID.test(text);
export const newKnowledgeBaseId = (nowMs: number) => newRecordId('kb', nowMs);

const TABLE_ID = /^table_[0-9A-Za-z]{22}$/;
export const isTableId = (text: string) => TABLE_ID.test(text);
export const newTableId = (nowMs: number) => newRecordId('table', nowMs);

let lastMs = 0;
let lastSequence = 0;

/**
 * A new place at the end of a timeline. Within one process each is greater than the one before, also when the clock
 * steps back; two processes in one millisecond are told apart by the sequence, which starts at random.
 */
export function newPosition(nowMs = Date.now()): string {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    // The upper half is kept free for what follows in this millisecond.
    lastSequence = randomBytes(4).readUInt32LE() % (SEQUENCES / 2);
  } else if (++lastSequence === SEQUENCES) {
    lastMs++;
    lastSequence = 0;
  }
  return encodeTime(lastMs) + encode(lastSequence, SEQUENCE_LENGTH);
}

/** A place in a timeline at another time than now. */
export const positionAt = (ms: number) =>
  encodeTime(ms) + encode(randomBytes(4).readUInt32LE() % SEQUENCES, SEQUENCE_LENGTH);

/** A place that follows from what it is for; two of one millisecond have the same once in 238,328 times. */
export const derivedPosition = (ms: number, of: string) =>
  encodeTime(ms) + encode(shardOf(of, SEQUENCES), SEQUENCE_LENGTH);

/** The part of a position that tells apart what happened in one millisecond. */
export const sequenceOf = (position: string) => position.slice(TIME_LENGTH);

export type TimelineIdPrefix = 'msg' | 'evt' | 'evb';

export const timelineId = (prefix: TimelineIdPrefix, conversationId: string, position: string) =>
  `${prefix}_${position}${conversationId.slice('convo_'.length)}`;

/** Takes a message's or event's id apart; undefined when it is none. */
export function parseTimelineId(prefix: TimelineIdPrefix, id: string) {
  if (!TIMELINE_ID.test(id) || !id.startsWith(`${prefix}_`)) return undefined;
  const body = id.slice(prefix.length + 1);
  return { position: body.slice(0, POSITION_LENGTH), conversationId: `convo_${body.slice(POSITION_LENGTH)}` };
}

const SHORT_LENGTH = 22;
export const newWorkspaceId = (nowMs = Date.now()) => `wkspace_${newShort(nowMs)}`;
export const newIntegrationId = (nowMs = Date.now()) => `intver_${newShort(nowMs)}`;
/** 28 characters in all, and sorted by time within its kind: `pat_`, `bak_`, `iak_`, `audit_`. */
export const newRecordId = (prefix: string, nowMs = Date.now()) =>
  `${prefix}_${encodeTime(nowMs)}${randomText(28 - prefix.length - 1 - TIME_LENGTH)}`;
const newShort = (nowMs: number) => encodeTime(nowMs) + randomText(SHORT_LENGTH - TIME_LENGTH);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const isUuid = (text: string) => UUID.test(text);
/** Which of `shards` equal parts an id belongs to: lists and counters of a whole tenant are split, so that none is hot. */
export const shardOf = (id: string, shards: number) => hash('sha256', id, 'buffer').readUInt32LE() % shards;
