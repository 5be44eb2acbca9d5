/** Partitions of tenants, in an order that depends only on the records. A test fails for a missing one. */

import { clock } from '#shared/core/clock.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { queryPage } from '#shared/storage/dynamodb/engine/query.ts';
import { fileKind } from '#shared/storage/dynamodb/files/fileLists.ts';
import { listScopes } from '#shared/storage/dynamodb/files/fileScopes.ts';
import { agentsPk } from '#shared/storage/dynamodb/keys/agents.ts';
import {
  botUserKey,
  savedRepliesPk,
  statesPk,
  webhookKey,
  workflowClaimPartitions,
} from '#shared/storage/dynamodb/keys/chat.ts';
import { deadLettersPk } from '#shared/storage/dynamodb/keys/deadLetters.ts';
import { endpointPk, pausedPk, pendingDestinationsPk } from '#shared/storage/dynamodb/keys/deliveries.ts';
import { fileScopesPk, fileSk, knowledgeBasesPk, uploadsPk } from '#shared/storage/dynamodb/keys/files.ts';
import { ONCE_SHARDS, oncePk } from '#shared/storage/dynamodb/keys/idempotency.ts';
import { type BotList, botListPks } from '#shared/storage/dynamodb/keys/lists.ts';
import { mentionsPk } from '#shared/storage/dynamodb/keys/mentions.ts';
import { hubPk, packageNamesPk, packagePk } from '#shared/storage/dynamodb/keys/registry.ts';
import { logPartitions, tableNamesPk, tablePartitionsOf } from '#shared/storage/dynamodb/keys/tables.ts';
import { tagListPks, tagNamesPk } from '#shared/storage/dynamodb/keys/tags.ts';
import { transfersPk } from '#shared/storage/dynamodb/keys/transfers.ts';
import { userTermsPks } from '#shared/storage/dynamodb/keys/userTerms.ts';
import {
  accountPk,
  analyticsPk,
  auditPk,
  botPk,
  botTotalsPk,
  botVersionsPk,
  gaugesPk,
  handleKey,
  integrationNamesPk,
  integrationPk,
  recurringPk,
  reportsPk,
  usagePk,
  widgetsPk,
  workspacePk,
} from '#shared/storage/dynamodb/keys/workspace.ts';
import { listTableIds } from '#shared/storage/dynamodb/tables/tables.ts';
import { logPartitions as logDays } from '#shared/storage/dynamodb/workspace/logs.ts';
import { findWorkspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const TENANT_KINDS = ['bot', 'integration', 'package', 'account', 'workspace'] as const;
export type TenantKind = (typeof TENANT_KINDS)[number];

export type Position = Record<string, unknown> | undefined;

interface Partition {
  pk: string;
  listedSk?: string;
  position: Position;
}

export interface Section {
  name: string;
  patterns: readonly string[];
  partitions(tenant: string, after?: Position): AsyncGenerator<Partition>;
}

/** Declares partitions that are known without a list. */
const known = (
  name: string,
  patterns: readonly string[],
  pksOf: (tenant: string) => Promise<string[]> | string[],
): Section => ({
  name,
  patterns,
  async *partitions(tenant, after) {
    const pks = await pksOf(tenant);
    const start = after === undefined ? 0 : pks.indexOf(String(after.pk)) + 1;
    for (const pk of pks.slice(start)) yield { pk, position: { pk } };
  },
});

const PAGE = 200;

async function* listed(listPks: readonly string[], after: Position): AsyncGenerator<Partition> {
  const start = after === undefined ? 0 : Math.max(0, listPks.indexOf(String(after.gsiPk)));
  for (const [i, gsiPk] of listPks.slice(start).entries()) {
    let from = i === 0 ? after : undefined;
    do {
      const page = await queryPage({
        IndexName: 'gsi1',
        KeyConditionExpression: 'gsiPk = :gsiPk',
        ExpressionAttributeValues: { ':gsiPk': gsiPk },
        ProjectionExpression: 'pk, sk, gsiPk, gsi1Sk',
        Limit: PAGE,
        ExclusiveStartKey: from,
      });
      for (const { pk, sk, gsi1Sk } of page.items) yield { pk, listedSk: sk, position: { pk, sk, gsiPk, gsi1Sk } };
      from = page.next;
    } while (from);
  }
}

const ofList = (list: BotList, patterns: readonly string[]): Section => ({
  name: list,
  patterns,
  partitions: (botId, after) => listed(botListPks(botId, list), after),
});

const TAGS: Section = {
  name: 'tags',
  patterns: ['#tag#*', '#tagValues#*'],
  async *partitions(botId, after) {
    const { entry, ...place } = after ?? {};
    for await (const value of listed(botListPks(botId, 'tagValues'), after && place)) {
      for (const pk of tagPartitions(botId, value)) yield { pk, position: { ...value.position, entry: pk } };
    }
  },
};

const tagPartitions = (botId: string, { pk, position }: Partition): string[] => {
  const hash = pk.slice(pk.lastIndexOf('#') + 1);
  const isOfMessages = String(position?.gsi1Sk).startsWith('message#');
  // The value's item is last, because it is needed to find the others.
  return [...tagListPks({ botId, hash, isOfMessages }), pk];
};

const FILES: Section = {
  name: 'files',
  patterns: ['#file_*', '#files@*'],
  async *partitions(botId, after) {
    const pks = (await listScopes(botId)).flatMap(scope => botListPks(botId, `files@${scope}`));
    yield* listed(pks, after);
  },
};

const BOT_SECTIONS = [
  ofList('conversations', ['#convo_*', '#conversations#*', '#outgoing#*', '#handoffs']),
  ofList('users', ['#user_*', '#users#*']),
  known('userTerms', ['#userTerms#*'], userTermsPks),
  ofList('workflows', ['#wf_*', '#workflows#*']),
  // Events without a conversation have their own partitions.
  ofList('events', ['#events#*']),
  known('states', ['#states'], botId => [statesPk(botId)]),
  known('savedReplies', ['#savedReplies'], botId => [savedRepliesPk(botId)]),
  known('botUser', [], botId => [botUserKey(botId).pk]),
  known('workflowClaims', ['#workflowClaims#*'], workflowClaimPartitions),
  known('tables', ['#table_*'], async botId => (await listTableIds(botId)).flatMap(id => tablePartitionsOf(botId, id))),
  known('tableLogs', [], async botId => (await listTableIds(botId)).flatMap(id => logPartitions(botId, id))),
  FILES,
  known('tagNames', ['#tagNames#*'], async botId =>
    (await listScopes(botId)).map(scope => tagNamesPk(botId, fileKind(scope))),
  ),
  known('knowledgeBases', ['#knowledgeBases@*'], async botId =>
    (await listScopes(botId)).map(scope => knowledgeBasesPk(botId, scope)),
  ),
  TAGS,
  known('tableNames', ['#tables'], botId => [tableNamesPk(botId)]),
  known('fileScopes', ['#fileScopes'], botId => [fileScopesPk(botId)]),
  known('uploads', ['#uploads'], botId => [uploadsPk(botId)]),
  known('totals', ['#totals'], botId => [botTotalsPk(botId)]),
  known('analytics', ['#analytics'], botId => [analyticsPk(botId)]),
  known('reports', ['#reports'], botId => [reportsPk(botId)]),
  known('answers', ['#once#*'], tenant => answers(tenant)),
  known('deadLetters', ['#parked'], tenant => [deadLettersPk(tenant)]),
  known('logs', ['#log#*'], tenant => logDays(tenant, clock.now())),
  known('pausedConversations', ['#held', '#held@*'], botId => [pausedPk(botId)]),
  known('endpoints', ['#endpoint', '#endpoint@*'], botId => [endpointPk(botId)]),
  known('widgets', ['#widgets'], botId => [widgetsPk(botId)]),
  known('versions', ['#versions'], botId => [botVersionsPk(botId)]),
  known('recurring', ['#recurring'], botId => [recurringPk(botId)]),
  known('bot', ['#bot'], botId => [botPk(botId)]),
  // Already deleted with their bot.
  known('webhooks', ['webhook#*'], async botId =>
    ((await findBot(botId))?.installations ?? []).map(({ webhookId }) => webhookKey(webhookId).pk),
  ),
] as const satisfies Section[];

const answers = (tenant: string) => Array.from({ length: ONCE_SHARDS }, (_, shard) => oncePk(tenant, shard));

/** Index-only partitions, for items of bots, integrations and packages. */
const LISTS_OF_WORKSPACES = ['#bots', '#endingBots', '#integrations', '#interfaces', '#plugins'];

export const SECTIONS: Record<TenantKind, readonly Section[]> = {
  bot: BOT_SECTIONS,
  integration: [
    known('integration', ['#integration'], id => [integrationPk(id)]),
    known('pendingDestinations', ['#waiting'], id => [pendingDestinationsPk(id)]),
    known('answers', ['#once#*'], answers),
    known('deadLetters', ['#parked'], id => [deadLettersPk(id)]),
    known('logs', ['#log#*'], id => logDays(id, clock.now())),
  ],
  package: [known('package', ['#package'], id => [packagePk(id)])],
  account: [
    known('account', ['account#*'], id => [accountPk(id)]),
    known('answers', ['#once#*'], answers),
    known('deadLetters', ['#parked'], id => [deadLettersPk(id)]),
  ],
  workspace: [
    known('names', ['#names', '#interfaceNames', '#pluginNames'], id => [
      integrationNamesPk(id),
      packageNamesPk(id, 'interface'),
      packageNamesPk(id, 'plugin'),
    ]),
    // Shared by all workspaces. Readers must filter it.
    known('hub', ['hub'], () => [hubPk]),
    known('handle', ['handle#*'], async id => {
      const handle = (await findWorkspace(id))?.handle;
      return handle === undefined ? [] : [handleKey(handle).pk];
    }),
    known('agents', ['#agents'], id => [agentsPk(id)]),
    known('usage', ['#usage'], id => [usagePk(id)]),
    known('gauges', ['#levels'], id => [gaugesPk(id)]),
    known('audit', ['#audit'], id => [auditPk(id)]),
    known('savedReplies', ['#savedReplies'], id => [savedRepliesPk(id)]),
    known('mentions', ['#mentions'], id => [mentionsPk(id)]),
    known('answers', ['#once#*'], answers),
    known('deadLetters', ['#parked'], id => [deadLettersPk(id)]),
    known('transfers', ['#transfers'], id => [transfersPk(id)]),
    known('workspace', ['#workspace', ...LISTS_OF_WORKSPACES], id => [workspacePk(id)]),
  ],
};

export function sectionOf(kind: TenantKind, name: string): Section {
  const section = SECTIONS[kind].find(each => each.name === name);
  if (!section) throw new Error(`A ${kind} has no section ${name}.`);
  return section;
}

/** Excludes the second listing of a file's partition, in the list of shared files. */
export const isFirstListing = (section: Section, listedSk: string | undefined) =>
  section !== FILES || listedSk === fileSk;

/** Found through the passages of files. */
export const NOT_LISTED_PREFIXES: readonly string[] = ['#term#*', '#live*', '#connections'];

export const TENANTLESS_PREFIXES: readonly string[] = [
  'imports',
  'rates',
  'openWork',
  'oauthStates',
  'identifiers',
  'timers',
  'staged',
  'bootstrap',
  'canary',
  'migrations',
  'connectionSubjects',
];
