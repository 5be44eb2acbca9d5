import { type NativeAttributeValue, unmarshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { agentPrefix, inboxSettingsSk } from '#shared/storage/dynamodb/keys/agents.ts';
import {
  conversationSk,
  erasureSk,
  eventPrefix,
  formerPrefix,
  handoffPrefix,
  laterPrefix,
  memberPresenceSk,
  notePrefix,
  outgoingPrefix,
  participantPrefix,
  positionOf,
  presenceSk,
  timelinePrefix,
  userSk,
  visitSk,
  workflowSk,
} from '#shared/storage/dynamodb/keys/chat.ts';
import { connectedMemberPrefix } from '#shared/storage/dynamodb/keys/connections.ts';
import { deadLetterPrefix } from '#shared/storage/dynamodb/keys/deadLetters.ts';
import { breakerSk } from '#shared/storage/dynamodb/keys/deliveries.ts';
import { fileSk } from '#shared/storage/dynamodb/keys/files.ts';
import { packageSk } from '#shared/storage/dynamodb/keys/registry.ts';
import { splitPk } from '#shared/storage/dynamodb/keys/table.ts';
import { rowPrefix, tableJobPrefix, tableSk } from '#shared/storage/dynamodb/keys/tables.ts';
import { exportPrefix, importSk, reindexingSk } from '#shared/storage/dynamodb/keys/transfers.ts';
import { botSk, integrationSk, memberPrefix, workspaceSk } from '#shared/storage/dynamodb/keys/workspace.ts';

const SORT_KEYS = {
  conversation: conversationSk,
  user: userSk,
  erasure: erasureSk,
  workflow: workflowSk,
  file: fileSk,
  table: tableSk,
  bot: botSk,
  workspace: workspaceSk,
  integration: integrationSk,
  package: packageSk,
  presence: presenceSk,
  memberPresence: memberPresenceSk,
  visit: visitSk,
  breaker: breakerSk,
  import: importSk,
  reindexing: reindexingSk,
  inboxSettings: inboxSettingsSk,
} as const;

const PREFIXES = {
  timelineEntry: timelinePrefix,
  postponedMessage: laterPrefix,
  event: eventPrefix,
  outgoing: outgoingPrefix,
  participant: participantPrefix,
  formerParticipant: formerPrefix,
  handoff: handoffPrefix,
  note: notePrefix,
  member: memberPrefix,
  tableJob: tableJobPrefix,
  row: rowPrefix,
  deadLetter: deadLetterPrefix,
  export: exportPrefix,
  agent: agentPrefix,
  connectedMember: connectedMemberPrefix,
} as const;

export type RecordKind = keyof typeof SORT_KEYS | keyof typeof PREFIXES;

const KIND_OF = new Map<string, RecordKind>(Object.entries(SORT_KEYS).map(([kind, sk]) => [sk, kind as RecordKind]));

const kindOf = (sk: string): RecordKind | undefined =>
  KIND_OF.get(sk) ??
  (Object.entries(PREFIXES).find(([, prefix]) => sk.startsWith(prefix))?.[0] as RecordKind | undefined);

export const keysOf = (...kinds: RecordKind[]) => ({
  Keys: {
    sk: {
      S: kinds.map(kind =>
        kind in SORT_KEYS
          ? SORT_KEYS[kind as keyof typeof SORT_KEYS]
          : { prefix: PREFIXES[kind as keyof typeof PREFIXES] },
      ),
    },
  },
});

export interface StreamChange {
  event: DynamoDBRecord['eventName'];
  sequenceNumber: string;
  atMs: number;
  pk: string;
  sk: string;
  kind: RecordKind | undefined;
  botId: string;
  id: string;
  position: string;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

export function parseStreamChange({ eventName, dynamodb }: DynamoDBRecord): StreamChange {
  const { pk, sk } = parseImage(dynamodb?.Keys) as { pk: string; sk: string };
  return {
    event: eventName,
    sequenceNumber: dynamodb!.SequenceNumber!,
    atMs: (dynamodb!.ApproximateCreationDateTime ?? 0) * 1000,
    pk,
    sk,
    kind: kindOf(sk),
    ...splitPk(pk),
    position: positionOf(sk),
    before: parseImage(dynamodb?.OldImage),
    after: parseImage(dynamodb?.NewImage),
  };
}

type Image = Record<string, AttributeValue>;

/** Lambda's stream events contain binary values as base64 text, which `unmarshall` does not decode. */
const parseImage = (image: Image = {}): Record<string, NativeAttributeValue> =>
  unmarshall(decodeImage(image) as Parameters<typeof unmarshall>[0]);

const decodeImage = (image: Image): Record<string, unknown> =>
  Object.fromEntries(Object.entries(image).map(([name, value]) => [name, decodeBinary(value)]));

function decodeBinary(value: AttributeValue): unknown {
  if (value.B !== undefined) return { B: Buffer.from(value.B, 'base64') };
  if (value.BS !== undefined) return { BS: value.BS.map(bytes => Buffer.from(bytes, 'base64')) };
  if (value.L !== undefined) return { L: value.L.map(decodeBinary) };
  return value.M === undefined ? value : { M: decodeImage(value.M) };
}

export const sortableSequence = (sequenceNumber: string) => sequenceNumber.padStart(48, '0');
