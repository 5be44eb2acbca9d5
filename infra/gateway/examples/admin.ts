/** Examples of the group admin. The caller is Ada, the workspace's owner. */
import type * as operations from '#functions/admin/index.ts';
import { EXAMPLE, EXAMPLE_DAY, type ExamplesOf } from './example.ts';

const WORKSPACE = { id: EXAMPLE.workspace };
const BOT = { id: EXAMPLE.bot };
const INTEGRATION = { id: EXAMPLE.integration };
const INTERFACE = { id: EXAMPLE.interface };
const PLUGIN = { id: EXAMPLE.plugin };
const SHARED = { botId: EXAMPLE.bot, integrationId: EXAMPLE.chatIntegration };
const CODE = { node: 'module.exports = {}', browser: 'export default {}' };
const TEXT = { schema: { type: 'object', properties: { text: { type: 'string' } } } };
const BOTS = { type: 'bot_count' } as const;

export const ADMIN_EXAMPLES: ExamplesOf<typeof operations> = {
  getAccount: {},
  updateAccount: { body: { displayName: 'Ada' } },
  getAccountPreference: { path: { key: 'theme' } },
  setAccountPreference: { path: { key: 'theme' }, body: { value: 'dark' } },
  listPersonalAccessTokens: {},
  createPersonalAccessToken: { body: { note: 'Laptop', expiresAt: '2099-01-01T00:00:00Z' } },
  deletePersonalAccessToken: { path: { id: EXAMPLE.personalToken } },
  introspect: { body: { botId: EXAMPLE.bot } },

  listWorkspaces: {},
  createWorkspace: { body: { name: 'Tea house' } },
  getWorkspace: { path: WORKSPACE },
  updateWorkspace: { path: WORKSPACE, body: { about: 'We sell tea.', website: 'https://example.com' } },
  deleteWorkspace: { path: WORKSPACE },
  checkHandleAvailability: { body: { handle: 'tea-house' } },
  listPublicWorkspaces: { query: { search: 'acme' } },
  getPublicWorkspace: { path: WORKSPACE },
  getWorkspacePreference: { path: { key: 'language' } },
  setWorkspacePreference: { path: { key: 'language' }, body: { value: 'en' } },
  exportWorkspace: { path: WORKSPACE },
  getWorkspaceExport: { path: { ...WORKSPACE, exportId: EXAMPLE.export } },
  getAuditRecords: { path: WORKSPACE, query: { pageSize: '2' } },

  getUsage: { path: WORKSPACE, query: BOTS },
  getMultipleUsages: { query: { types: 'bot_count', ids: EXAMPLE.workspace } },
  listUsageHistory: { path: WORKSPACE, query: BOTS },
  listWorkspaceUsages: { path: WORKSPACE, query: BOTS },
  breakDownWorkspaceUsageByBot: { path: WORKSPACE, query: BOTS },
  getWorkspaceQuota: { path: WORKSPACE, query: BOTS },
  listWorkspaceQuotas: { path: WORKSPACE },

  listWorkspaceMembers: {},
  getWorkspaceMember: {},
  createWorkspaceMember: { body: { email: 'cleo@example.com', role: 'viewer' } },
  updateWorkspaceMember: { path: { id: EXAMPLE.otherMember }, body: { role: 'developer' } },
  deleteWorkspaceMember: { path: { id: EXAMPLE.otherMember } },
  acceptInvitation: { body: { inviteToken: EXAMPLE.invitation, displayName: 'Bob' } },
  joinWorkspace: { body: { inviteToken: EXAMPLE.otherInvitation } },
  requestBodyUpload: { body: { size: 12_000_000 } },

  listBots: { query: { sortField: 'updatedAt', sortDirection: 'desc' } },
  createBot: { body: { name: 'Concierge', url: 'https://bot.example.com', tags: { team: 'tea' } } },
  getBot: { path: BOT },
  updateBot: { path: BOT, body: { description: 'Answers questions about tea.' } },
  updateBotDeliveries: { path: BOT, body: { attempts: 5, withinSeconds: 60 } },
  deleteBot: { path: BOT },
  transferBot: { path: BOT, body: { targetWorkspaceId: EXAMPLE.otherWorkspace } },
  rotateBotSigningSecrets: { path: BOT },
  getBotLogs: { path: BOT, query: { timeStart: `${EXAMPLE_DAY}T00:00:00Z` } },
  getBotAnalytics: { path: BOT, query: { startDate: EXAMPLE_DAY, endDate: EXAMPLE_DAY } },
  getBotWebchat: { path: BOT, query: { type: 'preconfigured' } },
  replayBotEvents: { path: BOT, body: { since: `${EXAMPLE_DAY}T00:00:00Z` } },
  listDeadLetters: { path: BOT },
  redriveDeadLetters: { path: BOT, body: {} },
  listBotApiKeys: { query: { botId: EXAMPLE.bot } },
  createBotApiKey: { body: { botId: EXAMPLE.bot, note: 'Server' } },
  deleteBotApiKey: { path: { id: EXAMPLE.botKey } },

  listIntegrations: { query: { name: 'mail' } },
  createIntegration: {
    body: {
      name: 'calendar',
      version: '1.0.0',
      title: 'Calendar',
      url: 'https://calendar.example.com',
      actions: { addEntry: { input: TEXT, output: TEXT } },
    },
  },
  validateIntegrationCreation: { body: { name: 'calendar', version: '2.0.0', title: 'Calendar' } },
  getIntegration: { path: INTEGRATION },
  getIntegrationByName: { path: { name: 'mail', version: '1.0.0' } },
  updateIntegration: { path: INTEGRATION, body: { title: 'Mail' } },
  validateIntegrationUpdate: { path: INTEGRATION, body: { title: 'Mail' } },
  deleteIntegration: { path: INTEGRATION },
  rotateIntegrationSigningSecrets: { path: INTEGRATION },
  getIntegrationLogs: { path: INTEGRATION, query: { timeStart: `${EXAMPLE_DAY}T00:00:00Z` } },
  listIntegrationApiKeys: { query: { integrationId: EXAMPLE.integration } },
  createIntegrationApiKey: { body: { integrationId: EXAMPLE.integration, note: 'Server' } },
  deleteIntegrationApiKey: { path: { id: EXAMPLE.integrationKey } },
  createOAuthState: { path: SHARED },
  createIntegrationShareableId: { path: SHARED },
  getIntegrationShareableId: { path: SHARED },
  deleteIntegrationShareableId: { path: SHARED },

  listInterfaces: { query: { name: 'listable' } },
  createInterface: { body: { name: 'creatable', version: '1.0.0', entities: { item: TEXT } } },
  getInterface: { path: INTERFACE },
  getInterfaceByName: { path: { name: 'listable', version: 'latest' } },
  updateInterface: { path: INTERFACE, body: { title: 'Listable' } },
  deleteInterface: { path: INTERFACE },

  listPlugins: {},
  createPlugin: { body: { name: 'greeter', version: '1.0.0', code: CODE } },
  getPlugin: { path: PLUGIN },
  getPluginByName: { path: { name: 'digest', version: 'latest' } },
  getPluginCode: { path: { ...PLUGIN, platform: 'node' } },
  getDereferencedPlugin: { path: PLUGIN, query: { interfaces: '{}' } },
  updatePlugin: { path: PLUGIN, body: { title: 'Digest' } },
  deletePlugin: { path: PLUGIN },

  listPublicIntegrations: { query: { name: 'mail' } },
  getPublicIntegrationById: { path: INTEGRATION },
  getPublicIntegration: { path: { name: 'mail', version: 'latest' } },
  listPublicInterfaces: { query: { name: 'listable' } },
  getPublicInterfaceById: { path: INTERFACE },
  getPublicInterface: { path: { name: 'listable', version: 'latest' } },
  listPublicPlugins: { query: { name: 'digest' } },
  getPublicPluginById: { path: PLUGIN },
  getPublicPlugin: { path: { name: 'digest', version: 'latest' } },
  getPublicPluginCode: { path: { ...PLUGIN, platform: 'browser' } },
  getDereferencedPublicPluginById: { path: PLUGIN, query: { interfaces: '{}' } },
};
