/**
 * API tests of a deployment: all of chat, and other operations with the object store, the index, the stream or queues.
 * `test/shared/api` calls the rest once, which checks deployment and permissions.
 */
const FILE_TESTS = ['upsertFile', 'deleteFile', 'searchFiles', 'readPublicContent'].map(
  name => `test/functions/files/${name}`,
);
const ADMIN_TESTS = [
  'workspaces/requestBodyUpload',
  'bots/createBot',
  'bots/updateBot.',
  'bots/deleteBot',
  'bots/getBotLogs',
  'integrations/createIntegration',
  'integrations/updateIntegration',
].map(name => `test/functions/admin/${name}`);
const TABLE_TESTS = ['createTableRows', 'exportTable', 'getTable.', 'importTable'].map(
  name => `test/functions/tables/${name}`,
);
const BOT_TESTS = [
  'callAction',
  'cancelScheduledEvent',
  'createConversation',
  'createEvent',
  'createMessage',
  'createWorkflow',
  'getOrCreateConversation',
  'initializeIncomingMessage',
  'listConversations',
  'listTagValues',
  'setStateExpiry',
].map(name => `test/functions/botChat/${name}`);
export const API_TESTS = [
  'test/functions/chat',
  'test/shared/api',
  'test/infra/gateway/reference',
  'test/shared/domain/admin/bots/deployedCode',
  ...BOT_TESTS,
  ...FILE_TESTS,
  ...TABLE_TESTS,
  ...ADMIN_TESTS,
];
/**
 * The emulator starts a process per call, so more workers would not help. It may close idle connections during a
 * request.
 */
export const TEST_OPTIONS = [
  ...['--maxWorkers=4', '--testTimeout=120000'],
  ...['--retry.count=1', '--retry.condition=socket hang up|ECONNRESET'],
];
