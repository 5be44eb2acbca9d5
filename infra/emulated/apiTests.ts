/**
 * API tests of a test deployment: all of chat, and operations of other groups that involve the object store, the index,
 * the stream, a queue or a file beside the bundle. `test/shared/api` calls every other operation once, which checks its
 * deployment and permissions.
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
 * The emulator starts a process per concurrent call, so more workers would not help. Retries handle idle connections
 * that the emulator closes during a request.
 */
export const TEST_OPTIONS = [
  ...['--maxWorkers=4', '--testTimeout=120000'],
  ...['--retry.count=1', '--retry.condition=socket hang up|ECONNRESET'],
];
