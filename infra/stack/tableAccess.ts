/**
 * The part of the table that each function may reach: the domains of `shared/dynamodb/keys/partitions.ts`. Its role allows these
 * partitions only (`tableStatements.ts`), and the local platform refuses what the role would refuse (`infra/local/services/tableGuard.ts`).
 */
import type { Domain } from '#shared/dynamodb/keys/partitions.ts';

export interface TableAccess {
  /** Read, and checked by conditions of transactions. */
  reads: readonly Domain[];
  /** Read and written, by a function that declares `table: 'writes'`; by one that declares `reads`, read. */
  writes: readonly Domain[];
  /** Written but neither read nor deleted from. */
  appends: readonly Domain[];
}

/** A platform caller is an account, a bot or an integration, and its token lies with it. */
const CALLERS = ['accounts', 'bots', 'integrations'] as const;
/** Interfaces and plugins, their names, and what is public. */
const PACKAGES = ['packages', 'packageNames', 'hub'] as const;
/** The item of a file, its place in the lists, and the totals that its size counts in. */
const STORED_FILE = ['files', 'tags', 'botTotals', 'levels'] as const;

type Row = Partial<TableAccess>;

const GROUPS: Record<string, Row> = {
  chat: { reads: ['webhooks'], writes: ['answers', 'conversations', 'users'] },
  botChat: {
    reads: [...CALLERS, 'webhooks'],
    writes: ['answers', 'conversations', 'users', 'workflows', 'states', 'tags'],
  },
  webhook: { reads: ['webhooks', 'bots', 'integrations'] },
  files: { reads: CALLERS, writes: ['answers', ...STORED_FILE, 'knowledgeBases'], appends: ['usage'] },
  tables: { reads: [...CALLERS, 'levels'], writes: ['answers', 'tables'] },
  cognitive: { reads: CALLERS, writes: ['answers'], appends: ['usage'] },
  admin: {
    reads: ['workspaceLists', 'levels', 'usage'],
    writes: ['answers', ...CALLERS, 'workspaces'],
    appends: ['audit'],
  },
};

/** What an operation reaches besides the domains of its group. */
const OPERATIONS: Record<string, Row> = {
  'botChat-callAction': { appends: ['logs'] },
  // The record of an installation is its bot's.
  'botChat-configureIntegration': { writes: ['bots', 'recurringEvents'] },
  // Likewise: an integration names its account at the provider in an answer. What its code prints goes into its log.
  'webhook-receiveWebhook': { writes: ['bots', 'recurringEvents'], appends: ['logs'] },

  // An end user announces files, and reads none. Without content they count in no totals.
  'chat-createFile': { writes: ['tags'], appends: ['files'] },
  // The conversations of an owner who goes.
  'chat-deleteUser': { writes: ['tags'] },

  'files-searchFiles': { reads: ['postings'] },

  'tables-deleteTable': { writes: ['botTotals', 'levels'], appends: ['usage'] },
  'tables-importTable': { writes: STORED_FILE, appends: ['usage'] },
  'tables-updateTable': { writes: ['botTotals', 'levels'], appends: ['usage'] },

  'admin-checkHandleAvailability': { reads: ['handles'] },
  'admin-createBot': { writes: ['levels', 'recurringEvents'], appends: ['usage'] },
  'admin-createIntegration': {
    reads: ['handles', ...PACKAGES],
    writes: ['integrationNames', 'levels', 'hub'],
    appends: ['usage'],
  },
  'admin-createInterface': { reads: ['handles'], writes: PACKAGES },
  'admin-createPlugin': { reads: ['handles', 'integrationNames'], writes: PACKAGES },
  'admin-createWorkspace': { writes: ['levels'], appends: ['usage'] },
  'admin-createWorkspaceMember': { writes: ['levels'], appends: ['usage'] },
  'admin-deleteBot': { writes: ['botTotals', 'levels', 'webhooks'], appends: ['usage'] },
  'admin-deleteIntegration': { writes: ['integrationNames', 'levels', 'hub'], appends: ['usage'] },
  'admin-deleteInterface': { writes: PACKAGES },
  'admin-deletePlugin': { writes: PACKAGES },
  'admin-deleteWorkspaceMember': { writes: ['levels'], appends: ['usage'] },
  'admin-getAuditRecords': { reads: ['audit'] },
  'admin-getBotAnalytics': { reads: ['analytics'] },
  'admin-getBotLogs': { reads: ['logs'] },
  'admin-getDereferencedPlugin': { reads: PACKAGES },
  'admin-getDereferencedPublicPluginById': { reads: PACKAGES },
  'admin-getIntegrationByName': { reads: ['integrationNames'] },
  'admin-exportWorkspace': { writes: ['transfers'], appends: ['audit'] },
  'admin-getWorkspaceExport': { reads: ['transfers'] },
  'admin-getInterface': { reads: PACKAGES },
  'admin-getInterfaceByName': { reads: PACKAGES },
  'admin-getPlugin': { reads: PACKAGES },
  'admin-getPluginByName': { reads: PACKAGES },
  'admin-getPluginCode': { reads: PACKAGES },
  'admin-getPublicIntegration': { reads: ['hub'] },
  'admin-getPublicInterface': { reads: PACKAGES },
  'admin-getPublicInterfaceById': { reads: PACKAGES },
  'admin-getPublicPlugin': { reads: PACKAGES },
  'admin-getPublicPluginById': { reads: PACKAGES },
  'admin-getPublicPluginCode': { reads: PACKAGES },
  'admin-getIntegrationLogs': { reads: ['logs'] },
  'admin-listInterfaces': { reads: PACKAGES },
  'admin-listParkedWork': { reads: ['parked'] },
  'admin-listPlugins': { reads: PACKAGES },
  'admin-listPublicIntegrations': { reads: ['hub'] },
  'admin-listPublicInterfaces': { reads: PACKAGES },
  'admin-listPublicPlugins': { reads: PACKAGES },
  'admin-listPublicWorkspaces': { reads: ['hub'] },
  'admin-redriveParkedWork': { writes: ['parked'] },
  'admin-replayBotEvents': { writes: ['conversations'] },
  'admin-rotateBotSigningSecrets': { appends: ['logs'] },
  'admin-rotateIntegrationSigningSecrets': { appends: ['logs'] },
  'admin-transferBot': { writes: ['botTotals', 'levels'], appends: ['usage'] },
  // An installation of another integration may not take over the files of the former one.
  'admin-updateBot': { reads: ['files'], writes: ['webhooks', 'recurringEvents'], appends: ['logs'] },
  'admin-updateIntegration': { reads: ['handles', ...PACKAGES], writes: ['hub'] },
  'admin-updateInterface': { reads: ['handles'], writes: PACKAGES },
  'admin-updatePlugin': { reads: ['handles', 'integrationNames'], writes: PACKAGES },
  'admin-updateWorkspace': { writes: ['handles', 'hub'] },
  'admin-validateIntegrationCreation': { reads: ['handles', 'integrationNames', ...PACKAGES] },
  'admin-validateIntegrationUpdate': { reads: ['handles', ...PACKAGES] },
};

const CONSUMERS: Record<string, Row> = {
  checkTotals: { reads: ['files', 'botTotals'] },
  deployCode: { writes: ['bots', 'integrations'], appends: ['logs'] },
  deliver: {
    reads: ['integrations', 'users'],
    // The outcomes of registrations, and their timer.
    writes: ['bots', 'recurringEvents', 'conversations', 'endpoints', 'held', 'waitingLanes'],
    appends: ['logs'],
  },
  enqueueUpcomingTimers: { reads: ['timers'] },
  fireTimers: {
    // Where what waits for an integration goes.
    reads: ['integrations'],
    // Registrations that are due are marked in their bots.
    writes: [
      'bots',
      'conversations',
      'users',
      'workflows',
      'states',
      'recurringEvents',
      'endpoints',
      'held',
      ...STORED_FILE,
    ],
    appends: ['usage'],
  },
  indexFile: { reads: ['bots'], writes: [...STORED_FILE, 'postings'], appends: ['usage'] },
  queueDeliveries: { reads: ['bots', 'integrations'], writes: ['conversations', 'endpoints', 'held', 'waitingLanes'] },
  reactToTable: {
    // Looks if a record got a tag back that it had lost.
    reads: ['workflows'],
    // Widens a bot's lists.
    writes: ['bots', 'webhooks', 'conversations', 'users', ...STORED_FILE, 'tables', 'usage'],
    appends: ['analytics'],
  },
  receiveUpload: { reads: ['bots'], writes: STORED_FILE, appends: ['usage'] },
  makeTableSnapshot: { writes: ['tables'] },
  runTableJob: { reads: ['bots'], writes: [...STORED_FILE, 'tables'], appends: ['usage'] },
  // A deleted tenant leaves something in every domain. What belongs to no tenant is out of its reach.
  sweepDeleted: {
    reads: [],
    writes: [
      ...(['webhooks', 'conversations', 'users', 'workflows', 'states', 'tags', 'answers'] as const),
      ...(['files', 'knowledgeBases', 'postings', 'tables', 'botTotals', 'analytics', 'logs'] as const),
      ...([
        'bots',
        'endpoints',
        'held',
        'waitingLanes',
        'integrations',
        'integrationNames',
        'accounts',
        'workspaces',
        'workspaceLists',
      ] as const),
      ...(['levels', 'usage', 'audit', 'handles', 'parked', 'recurringEvents', 'transfers'] as const),
      ...PACKAGES,
    ],
  },
  // A migration names the domains that it changes beside its own.
  migrate: { writes: ['migrations'] },
  // A file may have the object already.
  sweepStagedObjects: { reads: ['files'], writes: ['staged'] },
  // A workspace with everything in it, of which it writes only its own job.
  runTransfer: {
    reads: [
      ...(['webhooks', 'conversations', 'users', 'workflows', 'states', 'tags', 'files', 'knowledgeBases'] as const),
      ...(['botTotals', 'analytics', 'logs', 'bots', 'recurringEvents', 'integrations', 'integrationNames'] as const),
      ...(['accounts', 'workspaces', 'workspaceLists', 'levels', 'usage', 'audit', 'handles', 'tables'] as const),
      ...PACKAGES,
    ],
    writes: ['transfers', 'postings'],
  },
  talkToCanary: { reads: ['canary'] },
  workOnRows: { reads: ['bots'], writes: ['conversations', 'users', 'workflows', 'tables', 'tags'] },
};

const joined = (rows: readonly Row[]): TableAccess => {
  const all = (kind: keyof TableAccess) => [...new Set(rows.flatMap(row => row[kind] ?? []))];
  return { reads: all('reads'), writes: all('writes'), appends: all('appends') };
};

/** @param functionName the bundle's, as in `chat-createMessage` */
export const operationTableAccess = (group: string, functionName: string): TableAccess =>
  joined([GROUPS[group] ?? {}, OPERATIONS[functionName] ?? {}]);

export const consumerTableAccess = (name: string): TableAccess => joined([CONSUMERS[name] ?? {}]);

/** The rows of single functions, which a test compares with the functions that exist. */
export const declaredTableAccess = { groups: GROUPS, operations: OPERATIONS, consumers: CONSUMERS };
