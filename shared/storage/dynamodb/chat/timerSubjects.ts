import { type Item, readItem } from '#shared/storage/dynamodb/engine/query.ts';
import {
  eventPrefix,
  handoffPrefix,
  laterPrefix,
  statePrefix,
  workflowSk,
} from '#shared/storage/dynamodb/keys/chat.ts';
import { fileIndexingSk, fileSk, uploadsPrefix } from '#shared/storage/dynamodb/keys/files.ts';
import { splitPk } from '#shared/storage/dynamodb/keys/table.ts';
import { timerPrefix } from '#shared/storage/dynamodb/keys/timers.ts';
import { recurringPrefix, registrationSk } from '#shared/storage/dynamodb/keys/workspace.ts';
import type { Timer } from '#shared/storage/dynamodb/timers/timers.ts';
import { type Entry, parseEntry } from './entry.ts';
import { type Event, parseEvent } from './events.ts';
import { type Handoff, parseHandoff } from './handoffs.ts';
import { parseState, type State } from './states.ts';
import { parseWorkflow, type Workflow } from './workflows.ts';

const FILE_DEADLINES = { [fileSk]: 'expiry', [fileIndexingSk]: 'indexing' } as const;
export type FileDeadline = (typeof FILE_DEADLINES)[keyof typeof FILE_DEADLINES];

export type TimerSubject =
  | { kind: 'postponedMessage'; botId: string; conversationId: string; entry: Entry }
  | { kind: 'file'; botId: string; fileId: string; deadline: FileDeadline }
  | { kind: 'uploads'; botId: string }
  | { kind: 'event'; botId: string; event: Event }
  | { kind: 'recurringEvent'; botId: string; name: string }
  | { kind: 'registrations'; botId: string }
  | { kind: 'handoff'; botId: string; handoff: Handoff }
  | { kind: 'state'; botId: string; state: State }
  | { kind: 'workflow'; botId: string; workflow: Workflow };

export async function findTimerSubject(timer: Timer, item: Item): Promise<TimerSubject | undefined> {
  const { botId, id } = splitPk(timer.pk);
  if (timer.sk.startsWith(laterPrefix)) {
    return { kind: 'postponedMessage', botId, conversationId: id, entry: parseEntry(item) };
  }
  const sk = timer.sk.slice(timerPrefix.length);
  if (sk in FILE_DEADLINES) {
    return { kind: 'file', botId, fileId: id, deadline: FILE_DEADLINES[sk as keyof typeof FILE_DEADLINES] };
  }
  if (sk.startsWith(uploadsPrefix)) return { kind: 'uploads', botId };
  if (sk.startsWith(recurringPrefix)) return { kind: 'recurringEvent', botId, name: sk.slice(recurringPrefix.length) };
  if (sk === registrationSk) return { kind: 'registrations', botId };
  const record = await readItem({ pk: timer.pk, sk });
  if (!record) return undefined;
  if (sk.startsWith(eventPrefix)) return { kind: 'event', botId, event: parseEvent(record) };
  if (sk.startsWith(handoffPrefix)) return { kind: 'handoff', botId, handoff: parseHandoff(record) };
  if (sk.startsWith(statePrefix)) return { kind: 'state', botId, state: parseState(record) };
  return sk === workflowSk ? { kind: 'workflow', botId, workflow: parseWorkflow(record)! } : undefined;
}
