import * as z from 'zod/mini';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, type Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { inboxSettingsKey } from '#shared/storage/dynamodb/keys/agents.ts';

const ASSIGNMENTS = ['manual', 'automatic'] as const;
/** Minutes until the conversations of a disconnected agent return to the queue. SQS delays by up to 15 minutes. */
const RELEASE_MINUTES = [5, 15] as const;
const MAX_OPEN_LIMIT = 100;

const ReleaseMinutes = z.nullable(z.union(RELEASE_MINUTES.map(each => z.literal(each))));

export const InboxSettings = z.object({
  assignment: z.enum(ASSIGNMENTS),
  /** Open conversations of an agent at which automatic assignment stops. */
  maxOpenPerAgent: z.number().check(z.int(), z.minimum(1), z.maximum(MAX_OPEN_LIMIT)),
  /** Null keeps the conversations of disconnected agents. */
  releaseAfterMinutes: ReleaseMinutes,
});
export type InboxSettings = z.infer<typeof InboxSettings>;

const DEFAULT_INBOX_SETTINGS: InboxSettings = {
  assignment: 'manual',
  maxOpenPerAgent: 5,
  releaseAfterMinutes: null,
};

export async function findInboxSettings(workspaceId: string): Promise<InboxSettings> {
  const item = await readItem(inboxSettingsKey(workspaceId));
  return item ? InboxSettings.parse(item) : DEFAULT_INBOX_SETTINGS;
}

/** Sets the given settings. Others keep their value, so concurrent changes of different settings succeed. */
export function changeInboxSettings(workspaceId: string, given: Partial<InboxSettings>): Write {
  const names = Object.keys(DEFAULT_INBOX_SETTINGS) as (keyof InboxSettings)[];
  const sets = names.map(name =>
    given[name] === undefined ? `${name} = if_not_exists(${name}, :${name})` : `${name} = :${name}`,
  );
  return {
    update: {
      Key: inboxSettingsKey(workspaceId),
      UpdateExpression: `SET ${sets.join(', ')}`,
      ExpressionAttributeValues: Object.fromEntries(
        names.map(name => [`:${name}`, given[name] === undefined ? DEFAULT_INBOX_SETTINGS[name] : given[name]]),
      ),
    },
    onRefused: unconditional,
  };
}
