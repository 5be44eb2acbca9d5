/**
 * Identifiers, in base 62 with digits in ASCII order, so that ids sort by creation time. Seven characters of
 * milliseconds last until 2081. An id suffices to locate its item without a lookup (docs/api/conventions.md#ids).
 *
 * | prefix         | characters | content                                                              |
 * |----------------|------------|----------------------------------------------------------------------|
 * | `convo`        | 22         | time (7) and randomness (15), or a hash of (webhook, foreign id)     |
 * | `user`         | 24         | time (7) and randomness (17), or a hash of (webhook, foreign id)     |
 * | `msg`, `evt`   | 32         | position in the timeline (10), the conversation's 22 characters      |
 * | `evb`          | 32         | the same layout, for an event outside of conversations               |
 * | `handoff`      | 32         | the same layout, with the position of its start                      |
 * | `note`         | 32         | the same layout                                                      |
 * | `file`         | 24         | a hash of (bot, scope, key)                                          |
 * | `wf`, `kb`     | 25         | time (7) and randomness (18)                                         |
 * | `reply`        | 22         | time (7) and randomness (15)                                         |
 * | `table`        | 22         | time (7) and randomness (15)                                         |
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
const TIMELINE_ID = /^(?:msg|evt|evb|handoff|note)_[0-9A-Za-z]{32}$/;
const WORKFLOW_ID = /^wf_[0-9A-Za-z]{25}$/;
/** Excludes `/` and `\`, which API Gateway cannot route raw in the listen URL (docs/api/chat.md#foreign-ids). */
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

/** Returns base 62, 5.95 bits per character: 256 is not a multiple of 62, so 8 characters are more likely. */
const spell = (bytes: Uint8Array, length: number) => {
  let text = '';
  for (let i = 0; i < length; i++) text += ALPHABET[bytes[i]! % BASE];
  return text;
};

export const randomText = (length: number) => spell(randomBytes(length), length);

export const hashText = (...parts: string[]) => spell(hash('sha256', JSON.stringify(parts), 'buffer'), 32);

/** Latest time that {@link encodeTime} can encode, in 2081. */
export const LAST_MS = BASE ** TIME_LENGTH - 1;
export const encodeTime = (ms: number) => encode(ms, TIME_LENGTH);
export const decodeTime = (text: string) => decode(text.slice(0, TIME_LENGTH));

export const newConversationId = (nowMs = clock.now()) =>
  `convo_${encodeTime(nowMs)}${randomText(CONVERSATION_LENGTH - TIME_LENGTH)}`;
export const newUserId = (nowMs = clock.now()) => `user_${encodeTime(nowMs)}${randomText(USER_LENGTH - TIME_LENGTH)}`;

/** Returns a new generation. It distinguishes a re-created user from a deleted one with the same id. */
export const newUserGeneration = (nowMs: number) => encodeTime(nowMs) + randomText(9);
const USER_GENERATION = /^[0-9A-Za-z]{16}$/;
export const isUserGeneration = (text: string) => USER_GENERATION.test(text);

export const isConversationId = (text: string) => CONVERSATION_ID.test(text);
export const isUserId = (text: string) => USER_ID.test(text);
export const isWorkflowId = (text: string) => WORKFLOW_ID.test(text);
export const newWorkflowId = (nowMs = clock.now()) => newRecordId('wf', nowMs);

/** Returns an id derived from `of`, so that only one of many concurrent creates succeeds. */
export const derivedConversationId = (...of: string[]) =>
  `convo_${hashText('conversation by', ...of).slice(0, CONVERSATION_LENGTH)}`;
export const derivedUserId = (...of: string[]) => `user_${hashText('user by', ...of).slice(0, USER_LENGTH)}`;

export const isForeignId = (text: string) => FOREIGN_ID.test(text) && !OWN_ID.test(text);

/**
 * Returns the internal id of a chat caller's id: itself, or one derived from a foreign id. Undefined if it is neither.
 */
export function resolveConversationId(webhookId: string, text: string): string | undefined {
  if (CONVERSATION_ID.test(text)) return text;
  return isForeignId(text)
    ? `convo_${hashText('conversation', webhookId, text).slice(0, CONVERSATION_LENGTH)}`
    : undefined;
}

export function resolveUserId(webhookId: string, text: string): string | undefined {
  if (USER_ID.test(text)) return text;
  return isForeignId(text) ? `user_${hashText('user', webhookId, text).slice(0, USER_LENGTH)}` : undefined;
}

const FILE_ID = /^file_[0-9A-Za-z]{24}$/;
export const isFileId = (text: string) => FILE_ID.test(text);
/** @param scope the owner of the file, see `fileRecords/scope.ts` */
export const fileIdOf = (botId: string, scope: string, key: string) =>
  `file_${hashText('file', botId, scope, key).slice(0, 24)}`;
const KNOWLEDGE_BASE_ID = /^kb_[0-9A-Za-z]{25}$/;
export const isKnowledgeBaseId = (text: string) => KNOWLEDGE_BASE_ID.test(text);
export const newKnowledgeBaseId = (nowMs: number) => newRecordId('kb', nowMs);

const SAVED_REPLY_ID = /^reply_[0-9A-Za-z]{22}$/;
export const isSavedReplyId = (text: string) => SAVED_REPLY_ID.test(text);
export const newSavedReplyId = (nowMs: number) => newRecordId('reply', nowMs);

const VERSION_ID = /^ver_[0-9A-Za-z]{24}$/;
export const isVersionId = (text: string) => VERSION_ID.test(text);
export const newVersionId = (nowMs: number) => newRecordId('ver', nowMs);

export const newLabelId = (nowMs: number) => newRecordId('label', nowMs);

const TABLE_ID = /^table_[0-9A-Za-z]{22}$/;
export const isTableId = (text: string) => TABLE_ID.test(text);
export const newTableId = (nowMs: number) => newRecordId('table', nowMs);

/** Maximum difference between two clocks. A clock that was ahead is eventually corrected, which steps it back. */
export const CLOCK_SKEW_MS = 60_000;

let lastMs = 0;
let lastSequence = 0;

/** Returns a position that increases within a process, and is at most {@link CLOCK_SKEW_MS} ahead of the clock. */
export function newPosition(nowMs = clock.now()): string {
  if (nowMs > lastMs || nowMs < lastMs - CLOCK_SKEW_MS) {
    lastMs = nowMs;
    // Leaves the upper half for later positions in this millisecond.
    lastSequence = randomBytes(4).readUInt32LE() % (SEQUENCES / 2);
  } else if (++lastSequence === SEQUENCES) {
    lastMs++;
    lastSequence = 0;
  }
  return encodeTime(lastMs) + encode(lastSequence, SEQUENCE_LENGTH);
}

let lastGiven = { ms: -1, sequence: 0 };

/** Returns a position at a time, after `earlier` and after those that this process returned for the same time. */
export function positionAt(ms: number, earlier = ''): string {
  const following = [
    ...(lastGiven.ms === ms ? [lastGiven.sequence] : []),
    ...(earlier.startsWith(encodeTime(ms)) ? [decode(sequenceOf(earlier))] : []),
  ].map(sequence => sequence + 1);
  const sequence = following.length > 0 ? Math.max(...following) : randomBytes(4).readUInt32LE() % (SEQUENCES / 2);
  lastGiven = { ms, sequence: sequence % SEQUENCES };
  return encodeTime(ms) + encode(lastGiven.sequence, SEQUENCE_LENGTH);
}

export const isPosition = (text: string) => /^[0-9A-Za-z]{10}$/.test(text);

/** Returns a position derived from `of`. Two in the same millisecond collide with a probability of 1 in 238,328. */
export const derivedPosition = (ms: number, of: string) =>
  encodeTime(ms) + encode(shardOf(of, SEQUENCES), SEQUENCE_LENGTH);

/** Returns a new position after `earlier`, which may come from a clock that is ahead. */
export function newPositionAfter(earlier: string): string {
  const position = newPosition();
  return position > earlier ? position : positionAt(decodeTime(earlier) + 1);
}

export const sequenceOf = (position: string) => position.slice(TIME_LENGTH);

export type TimelineIdPrefix = 'msg' | 'evt' | 'evb' | 'handoff' | 'note';

export const timelineId = (prefix: TimelineIdPrefix, conversationId: string, position: string) =>
  `${prefix}_${position}${conversationId.slice('convo_'.length)}`;

export function parseTimelineId(prefix: TimelineIdPrefix, id: string) {
  if (!TIMELINE_ID.test(id) || !id.startsWith(`${prefix}_`)) return undefined;
  const body = id.slice(prefix.length + 1);
  return { position: body.slice(0, POSITION_LENGTH), conversationId: `convo_${body.slice(POSITION_LENGTH)}` };
}

const SHORT_LENGTH = 22;
const LONG_LENGTH = 26;
export const newWorkspaceId = (nowMs = clock.now()) => `wkspace_${newShort(nowMs)}`;
/** Workspace of packages that ship with the platform. It has no record, so it cannot have members. */
export const SYSTEM_WORKSPACE_ID = `wkspace_${'0'.repeat(SHORT_LENGTH)}`;
const WORKSPACE_ID = /^wkspace_[0-9A-Za-z]{22}$/;
export const isWorkspaceId = (text: string) => WORKSPACE_ID.test(text);
/** The integration that ships with the platform. Exports of workspaces name it, so its id is the same everywhere. */
export const INBOX_ID = `intver_${'inbox'.padStart(SHORT_LENGTH, '0')}`;
const INTEGRATION_ID = /^intver_[0-9A-Za-z]{22}$/;
export const isIntegrationId = (text: string) => INTEGRATION_ID.test(text);
export const newIntegrationId = (nowMs = clock.now()) => `intver_${newShort(nowMs)}`;
const PACKAGE_IDS = { interface: /^ifver_[0-9A-Za-z]{26}$/, plugin: /^plugver_[0-9A-Za-z]{26}$/ };
export const isPackageId = (kind: 'interface' | 'plugin', text: string) => PACKAGE_IDS[kind].test(text);
export const newPackageId = (kind: 'interface' | 'plugin', nowMs: number) =>
  `${kind === 'interface' ? 'ifver' : 'plugver'}_${newLong(nowMs)}`;
/** Returns an id of 28 characters that sorts by time within its prefix. */
export const newRecordId = (prefix: string, nowMs = clock.now()) =>
  `${prefix}_${encodeTime(nowMs)}${randomText(28 - prefix.length - 1 - TIME_LENGTH)}`;
const newShort = (nowMs: number) => encodeTime(nowMs) + randomText(SHORT_LENGTH - TIME_LENGTH);
/** Matches the ecosystem's length, because its CLI interprets a shorter id as a name. */
const newLong = (nowMs: number) => encodeTime(nowMs) + randomText(LONG_LENGTH - TIME_LENGTH);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const isUuid = (text: string) => UUID.test(text);
/** Returns the shard of an id. Lists and counters of a tenant are sharded so that no partition is hot. */
export const shardOf = (id: string, shards: number) => hash('sha256', id, 'buffer').readUInt32LE() % shards;
