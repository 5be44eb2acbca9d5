/**
 * Identifiers. An id alone leads to its item: a message's id contains its conversation, and a conversation or user
 * named by its caller (a "foreign id") has an id computed from that name, so no lookup is needed
 * (docs/compatibility.md#ids).
 *
 *     convo_ + 22 characters              time (7) and randomness (15), or a hash of (webhook, foreign id) user_  + 24
 *     characters              likewise msg_ / evt_ + 10 + 22 characters    position in the timeline, then the
 *     conversation's 22 evb_ + 10 + 22 characters           an event outside any conversation, likewise wf_  + 25
 *     characters                time (7) and randomness (18) file_ + 24 characters               a hash of (bot, scope,
 *     key) kb_  + 25 characters                time (7) and randomness (18) table_ + 22 characters              time
 *     (7) and randomness (15)
 *
 * All are 28 to 36 characters long, like the ecosystem's, in base 62 with digits in ASCII order, so that ids sort by
 * time of creation. Seven characters of milliseconds last until 2081.
 */

import { hash, randomBytes } from 'node:crypto';
import { clock } from './clock.ts';

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
/** Without `/` and `\`, which API Gateway cannot route raw in the listen URL (docs/compatibility.md#foreign-ids). */
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

/** Bytes as base-62 characters. 256 is no multiple of 62, so 8 characters are 1.25 times as likely: 5.95 bits each. */
const spell = (bytes: Uint8Array, length: number) => {
  let text = '';
  for (let i = 0; i < length; i++) text += ALPHABET[bytes[i]! % BASE];
  return text;
};

export const randomText = (length: number) => spell(randomBytes(length), length);

/** A hash that is safe in a key: 32 base-62 characters. */
export const hashText = (...parts: string[]) => spell(hash('sha256', JSON.stringify(parts), 'buffer'), 32);

/** The latest time that {@link encodeTime} can encode, in 2081. */
export const LAST_MS = BASE ** TIME_LENGTH - 1;
/** Milliseconds since 1970 as 7 sortable characters. */
export const encodeTime = (ms: number) => encode(ms, TIME_LENGTH);
/** The milliseconds at the start of an encoded time or position. */
export const decodeTime = (text: string) => decode(text.slice(0, TIME_LENGTH));

export const newConversationId = (nowMs = clock.now()) =>
  `convo_${encodeTime(nowMs)}${randomText(CONVERSATION_LENGTH - TIME_LENGTH)}`;
export const newUserId = (nowMs = clock.now()) => `user_${encodeTime(nowMs)}${randomText(USER_LENGTH - TIME_LENGTH)}`;

/**
 * Tells the lives of a user apart: an id that is deleted and created anew gets another generation. It starts with the
 * time of creation.
 */
export const newUserGeneration = (nowMs: number) => encodeTime(nowMs) + randomText(9);
const USER_GENERATION = /^[0-9A-Za-z]{16}$/;
export const isUserGeneration = (text: string) => USER_GENERATION.test(text);

export const isConversationId = (text: string) => CONVERSATION_ID.test(text);
export const isUserId = (text: string) => USER_ID.test(text);
export const isWorkflowId = (text: string) => WORKFLOW_ID.test(text);
export const newWorkflowId = (nowMs = clock.now()) => newRecordId('wf', nowMs);

/** An id derived from `of`, so that of many concurrent creates exactly one succeeds. */
export const derivedConversationId = (...of: string[]) =>
  `convo_${hashText('conversation by', ...of).slice(0, CONVERSATION_LENGTH)}`;
export const derivedUserId = (...of: string[]) => `user_${hashText('user by', ...of).slice(0, USER_LENGTH)}`;

export const isForeignId = (text: string) => FOREIGN_ID.test(text) && !OWN_ID.test(text);

/**
 * The internal id for the id a chat caller uses: itself, or the one derived from a foreign id; undefined for neither.
 */
export function resolveConversationId(webhookId: string, text: string): string | undefined {
  if (CONVERSATION_ID.test(text)) return text;
  return isForeignId(text)
    ? `convo_${hashText('conversation', webhookId, text).slice(0, CONVERSATION_LENGTH)}`
    : undefined;
}

/** Like {@link resolveConversationId}, for users. */
export function resolveUserId(webhookId: string, text: string): string | undefined {
  if (USER_ID.test(text)) return text;
  return isForeignId(text) ? `user_${hashText('user', webhookId, text).slice(0, USER_LENGTH)}` : undefined;
}

const FILE_ID = /^file_[0-9A-Za-z]{24}$/;
export const isFileId = (text: string) => FILE_ID.test(text);
/** @param scope the owner of the file: see `fileRecords/scope.ts` */
export const fileIdOf = (botId: string, scope: string, key: string) =>
  `file_${hashText('file', botId, scope, key).slice(0, 24)}`;
const KNOWLEDGE_BASE_ID = /^kb_[0-9A-Za-z]{25}$/;
export const isKnowledgeBaseId = (text: string) => KNOWLEDGE_BASE_ID.test(text);
export const newKnowledgeBaseId = (nowMs: number) => newRecordId('kb', nowMs);

const TABLE_ID = /^table_[0-9A-Za-z]{22}$/;
export const isTableId = (text: string) => TABLE_ID.test(text);
export const newTableId = (nowMs: number) => newRecordId('table', nowMs);

/** No two clocks are further apart. One that was is put right some day, which steps it back. */
export const CLOCK_SKEW_MS = 60_000;

let lastMs = 0;
let lastSequence = 0;

/**
 * A new position at the end of a timeline. Positions rise within a process, even if the clock steps back a little; two
 * processes in the same millisecond are told apart by the sequence, which starts at random. Nothing lies further ahead
 * of the clock than {@link CLOCK_SKEW_MS}: what deletes a timeline up to now would leave it.
 */
export function newPosition(nowMs = clock.now()): string {
  if (nowMs > lastMs || nowMs < lastMs - CLOCK_SKEW_MS) {
    lastMs = nowMs;
    // The upper half stays free for later positions in this millisecond.
    lastSequence = randomBytes(4).readUInt32LE() % (SEQUENCES / 2);
  } else if (++lastSequence === SEQUENCES) {
    lastMs++;
    lastSequence = 0;
  }
  return encodeTime(lastMs) + encode(lastSequence, SEQUENCE_LENGTH);
}

/** A position in a timeline at a given time. */
export const positionAt = (ms: number) =>
  encodeTime(ms) + encode(randomBytes(4).readUInt32LE() % SEQUENCES, SEQUENCE_LENGTH);

/** A position derived from `of`; two in the same millisecond collide once in 238,328 times. */
export const derivedPosition = (ms: number, of: string) =>
  encodeTime(ms) + encode(shardOf(of, SEQUENCES), SEQUENCE_LENGTH);

/** The part of a position that orders entries within a millisecond. */
export const sequenceOf = (position: string) => position.slice(TIME_LENGTH);

export type TimelineIdPrefix = 'msg' | 'evt' | 'evb';

export const timelineId = (prefix: TimelineIdPrefix, conversationId: string, position: string) =>
  `${prefix}_${position}${conversationId.slice('convo_'.length)}`;

/** The position and conversation in a message's or event's id; undefined for any other id. */
export function parseTimelineId(prefix: TimelineIdPrefix, id: string) {
  if (!TIMELINE_ID.test(id) || !id.startsWith(`${prefix}_`)) return undefined;
  const body = id.slice(prefix.length + 1);
  return { position: body.slice(0, POSITION_LENGTH), conversationId: `convo_${body.slice(POSITION_LENGTH)}` };
}

const SHORT_LENGTH = 22;
const LONG_LENGTH = 26;
export const newWorkspaceId = (nowMs = clock.now()) => `wkspace_${newShort(nowMs)}`;
/** Owns what comes with the platform. It has no record, so that nobody is its member. */
export const SYSTEM_WORKSPACE_ID = `wkspace_${'0'.repeat(SHORT_LENGTH)}`;
const WORKSPACE_ID = /^wkspace_[0-9A-Za-z]{22}$/;
export const isWorkspaceId = (text: string) => WORKSPACE_ID.test(text);
const INTEGRATION_ID = /^intver_[0-9A-Za-z]{22}$/;
export const isIntegrationId = (text: string) => INTEGRATION_ID.test(text);
export const newIntegrationId = (nowMs = clock.now()) => `intver_${newShort(nowMs)}`;
const PACKAGE_IDS = { interface: /^ifver_[0-9A-Za-z]{26}$/, plugin: /^plugver_[0-9A-Za-z]{26}$/ };
export const isPackageId = (kind: 'interface' | 'plugin', text: string) => PACKAGE_IDS[kind].test(text);
export const newPackageId = (kind: 'interface' | 'plugin', nowMs: number) =>
  `${kind === 'interface' ? 'ifver' : 'plugver'}_${newLong(nowMs)}`;
/** 28 characters in all, sorted by time within the prefix. */
export const newRecordId = (prefix: string, nowMs = clock.now()) =>
  `${prefix}_${encodeTime(nowMs)}${randomText(28 - prefix.length - 1 - TIME_LENGTH)}`;
const newShort = (nowMs: number) => encodeTime(nowMs) + randomText(SHORT_LENGTH - TIME_LENGTH);
/** As long as the ecosystem's, whose command line takes a shorter id for a name. */
const newLong = (nowMs: number) => encodeTime(nowMs) + randomText(LONG_LENGTH - TIME_LENGTH);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const isUuid = (text: string) => UUID.test(text);
/** The shard of an id: lists and counters of a whole tenant are split so that no partition is hot. */
export const shardOf = (id: string, shards: number) => hash('sha256', id, 'buffer').readUInt32LE() % shards;
