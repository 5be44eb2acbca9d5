/**
 * The API tests that run against a deployment: all of chat; of the other groups, the operations that involve the object
 * store, its events, the index, the stream, a queue or a file beside a bundle. `test/shared/api` calls each of the
 * others once, which shows that its function is deployed and has the permissions it needs.
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
 * The emulator starts a process for each concurrent call, so more test files at once would only wait. It may close an
 * idle connection while a request is on its way, which is no answer of the platform: such a test runs once more.
 */
export const TEST_OPTIONS = [
  ...['--maxWorkers=4', '--testTimeout=120000'],
  ...['--retry.count=1', '--retry.condition=socket hang up|ECONNRESET'],
];
