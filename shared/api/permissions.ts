/**
 * The permissions of the platform API, which operations, tests and docs/permissions.md read. Each role has the least
 * that its work requires (docs/api/admin.md#roles). An operation without a row does not compile.
 */
import { ROLES, type Role } from '#shared/storage/dynamodb/workspace/roles.ts';

export type Actor = Role | 'bot' | 'integration';

export type Right = 'yes' | 'own';
export type Rule = Partial<Record<Actor, Right>>;

/** Each role includes the permissions of the previous roles. The roles billing and agent are separate. */
const HIERARCHY: readonly Role[] = ['viewer', 'developer', 'manager', 'administrator', 'owner'];

const from = (role: Role): Rule =>
  Object.fromEntries(HIERARCHY.slice(HIERARCHY.indexOf(role)).map(each => [each, 'yes' as const]));
const everyone: Rule = Object.fromEntries(ROLES.map(role => [role, 'yes' as const]));
const ownOf = (...roles: Role[]): Rule => Object.fromEntries(roles.map(role => [role, 'own' as const]));

const viewers = from('viewer');
const developers = from('developer');
const managers = from('manager');
const administrators = from('administrator');

const viewersAndBot: Rule = { ...viewers, bot: 'yes' };
const developersAndBot: Rule = { ...developers, bot: 'yes' };

const agent: Rule = { agent: 'yes' };
const viewersAndAgents: Rule = { ...viewers, ...agent };

const viewersAndKeys: Rule = { ...viewersAndBot, integration: 'own' };
const developersAndKeys: Rule = { ...developersAndBot, integration: 'own' };

const readersAndKeys: Rule = { ...viewersAndKeys, ...agent };
const readersAndBot: Rule = { ...viewersAndBot, ...agent };
const agents: Rule = { ...developers, ...agent };
const agentsAndBot: Rule = { ...agents, bot: 'yes' };

export const PERMISSIONS = {
  admin: {
    getAccount: everyone,
    updateAccount: everyone,
    listPersonalAccessTokens: everyone,
    createPersonalAccessToken: everyone,
    deletePersonalAccessToken: everyone,
    listSessions: everyone,
    getAccountPreference: everyone,
    setAccountPreference: everyone,
    introspect: { ...everyone, bot: 'own', integration: 'own' },

    listWorkspaces: everyone,
    createWorkspace: everyone,
    getWorkspace: everyone,
    updateWorkspace: administrators,
    deleteWorkspace: from('owner'),
    getSingleSignOn: administrators,
    // The identity provider can add members and impersonate any of them.
    setSingleSignOn: from('owner'),
    deleteSingleSignOn: from('owner'),
    checkHandleAvailability: everyone,
    listPublicWorkspaces: everyone,
    getPublicWorkspace: everyone,
    getWorkspacePreference: everyone,
    setWorkspacePreference: developers,
    getAuditRecords: managers,
    exportWorkspace: administrators,
    getWorkspaceExport: administrators,
    listWorkspaceUsages: everyone,
    breakDownWorkspaceUsageByBot: everyone,
    getWorkspaceQuota: everyone,
    listWorkspaceQuotas: everyone,
    getUsage: everyone,
    getMultipleUsages: everyone,
    listUsageHistory: everyone,

    listWorkspaceMembers: everyone,
    getWorkspaceMember: everyone,
    createWorkspaceMember: administrators,
    renewInvitation: administrators,
    createMemberSignInLink: managers,
    updateWorkspaceMember: administrators,
    deleteWorkspaceMember: { ...ownOf('viewer', 'billing', 'agent', 'developer', 'manager'), ...administrators },

    listBots: viewersAndAgents,
    getBot: { ...viewersAndAgents, bot: 'own' },
    // Logs may contain payloads and tokens that deployed code prints.
    getBotLogs: developers,
    getBotAnalytics: viewers,
    getBotWebchat: viewers,
    getBotWidget: viewers,
    setBotWidget: developers,
    createBot: developers,
    updateBot: developers,
    createBotVersion: developers,
    listBotVersions: viewers,
    // Contains the code.
    getBotVersion: developers,
    deployBotVersion: developers,
    updateBotDeliveries: developers,
    rotateBotSigningSecrets: developers,
    listDeadLetters: developers,
    redriveDeadLetters: developers,
    replayBotEvents: developers,
    listBotEndpoints: viewers,
    retryBotEndpoint: developers,
    deleteBot: { ...ownOf('developer'), ...managers },
    transferBot: managers,
    listBotApiKeys: developers,
    createBotApiKey: developers,
    deleteBotApiKey: developers,
    createOAuthState: developers,
    createIntegrationShareableId: developers,
    getIntegrationShareableId: developers,
    deleteIntegrationShareableId: developers,

    listIntegrations: viewers,
    getIntegration: viewers,
    getIntegrationByName: viewers,
    getIntegrationLogs: developers,
    createIntegration: developers,
    updateIntegration: developers,
    rotateIntegrationSigningSecrets: developers,
    deleteIntegration: { ...ownOf('developer'), ...managers },
    validateIntegrationCreation: developers,
    validateIntegrationUpdate: developers,
    listIntegrationApiKeys: developers,
    createIntegrationApiKey: developers,
    deleteIntegrationApiKey: developers,

    listInterfaces: viewers,
    getInterface: viewers,
    getInterfaceByName: viewers,
    createInterface: developers,
    updateInterface: developers,
    deleteInterface: { ...ownOf('developer'), ...managers },

    listPlugins: viewers,
    getPlugin: viewers,
    getPluginByName: viewers,
    getPluginCode: viewers,
    getDereferencedPlugin: viewers,
    createPlugin: developers,
    updatePlugin: developers,
    deletePlugin: { ...ownOf('developer'), ...managers },

    listPublicIntegrations: viewers,
    getPublicIntegrationById: viewers,
    getPublicIntegration: viewers,
    listPublicInterfaces: viewers,
    getPublicInterfaceById: viewers,
    getPublicInterface: viewers,
    listPublicPlugins: viewers,
    getPublicPluginById: viewers,
    getPublicPlugin: viewers,
    getPublicPluginCode: viewers,
    getDereferencedPublicPluginById: viewers,
  },

  // Integrations can access records of their own installation. Workflows and actions belong to the bot.
  botChat: {
    createConversation: developersAndKeys,
    getConversation: readersAndKeys,
    listConversations: readersAndKeys,
    getOrCreateConversation: developersAndKeys,
    updateConversation: developersAndKeys,
    deleteConversation: developersAndKeys,
    listParticipants: readersAndKeys,
    addParticipant: developersAndKeys,
    getParticipant: readersAndKeys,
    removeParticipant: developersAndKeys,

    createEvent: developersAndKeys,
    getEvent: readersAndKeys,
    listEvents: readersAndKeys,
    cancelScheduledEvent: developersAndKeys,

    createMessage: { ...developersAndKeys, agent: 'own' },
    getOrCreateMessage: developersAndKeys,
    getMessage: readersAndKeys,
    updateMessage: developersAndKeys,
    listMessages: readersAndKeys,
    deleteMessage: developersAndKeys,
    retryMessage: agentsAndBot,
    listPendingDeliveries: readersAndKeys,
    initializeIncomingMessage: developersAndKeys,
    importMessages: developersAndKeys,

    connectWatcher: viewersAndAgents,
    connectInboxWatcher: viewersAndAgents,
    startHandoff: agentsAndBot,
    assignHandoff: agentsAndBot,
    endHandoff: agentsAndBot,
    snoozeHandoff: agentsAndBot,
    setHandoffPriority: agentsAndBot,
    getHandoff: readersAndBot,
    listHandoffs: readersAndBot,
    countHandoffs: readersAndBot,
    listInboxHandoffs: viewersAndAgents,
    countInboxHandoffs: viewersAndAgents,
    getInboxReport: viewers,
    listMentions: viewersAndAgents,
    markMentionsRead: viewersAndAgents,
    listInboxAgents: viewersAndAgents,
    setInboxAvailability: agents,
    getInboxSettings: viewersAndAgents,
    updateInboxSettings: managers,
    listInboxLabels: viewersAndAgents,
    createInboxLabel: managers,
    updateInboxLabel: managers,
    deleteInboxLabel: managers,
    updateConversationLabels: agentsAndBot,
    searchInbox: viewersAndAgents,
    searchInboxMessages: viewersAndAgents,
    replyInHandoff: agents,
    createFileInHandoff: agents,
    showTypingInHandoff: agents,
    markHandoffRead: agents,

    createNote: agentsAndBot,
    listNotes: readersAndBot,
    deleteNote: { ...ownOf('agent', 'developer'), ...managers, bot: 'own' },

    createSavedReply: agents,
    listSavedReplies: viewersAndAgents,
    updateSavedReply: agents,
    deleteSavedReply: agents,

    createUser: developersAndKeys,
    getUser: readersAndKeys,
    listUsers: readersAndKeys,
    getOrCreateUser: developersAndKeys,
    updateUser: developersAndKeys,
    updateUserContact: agentsAndBot,
    deleteUser: developersAndKeys,
    eraseUser: developersAndBot,

    setStateExpiry: developersAndKeys,
    getState: viewersAndKeys,
    setState: developersAndKeys,
    getOrSetState: developersAndKeys,
    patchState: developersAndKeys,

    configureIntegration: { integration: 'own' },
    callAction: developersAndBot,
    createWorkflow: developersAndBot,
    getWorkflow: readersAndBot,
    updateWorkflow: developersAndBot,
    deleteWorkflow: developersAndBot,
    listWorkflows: readersAndBot,
    getOrCreateWorkflow: developersAndBot,
    trackAnalytics: developersAndKeys,
    listTagValues: readersAndKeys,
    listStates: viewersAndKeys,
    getPresence: readersAndBot,
    showPresence: agents,
  },

  // Integrations can access their own and shared files: see docs/api/files.md#file-permissions.
  files: {
    upsertFile: developersAndKeys,
    deleteFile: developersAndKeys,
    listFiles: viewersAndKeys,
    getFile: viewersAndKeys,
    updateFileMetadata: developersAndKeys,
    copyFile: developersAndKeys,
    searchFiles: viewersAndKeys,
    listFilePassages: viewersAndKeys,
    setFilePassages: developersAndKeys,
    listFileTags: viewersAndKeys,
    listFileTagValues: viewersAndKeys,
    createKnowledgeBase: developersAndKeys,
    deleteKnowledgeBase: developersAndKeys,
    updateKnowledgeBase: developersAndKeys,
    listKnowledgeBases: viewersAndKeys,
  },

  // The workspace pays for the model, so third-party integrations have no access.
  cognitive: {
    generateText: developersAndBot,
    generateTextStream: developersAndBot,
    listModels: viewersAndBot,
  },

  tables: {
    listTables: viewersAndBot,
    getTable: viewersAndBot,
    getOrCreateTable: developersAndBot,
    createTable: developersAndBot,
    duplicateTable: developersAndBot,
    // Creates a file, which requires a developer.
    exportTable: developersAndBot,
    getTableJobs: viewersAndBot,
    importTable: developersAndBot,
    updateTable: developersAndBot,
    renameTableColumn: developersAndBot,
    deleteTable: developersAndBot,
    getTableRow: viewersAndBot,
    findTableRows: viewersAndBot,
    createTableRows: developersAndBot,
    deleteTableRows: developersAndBot,
    updateTableRows: developersAndBot,
    upsertTableRows: developersAndBot,
  },
} as const satisfies Record<string, Record<string, Rule>>;

export type PlatformGroup = keyof typeof PERMISSIONS;
export type RuledOperation<Group extends PlatformGroup> = keyof (typeof PERMISSIONS)[Group] & string;

export const ruleOf = (group: PlatformGroup, name: string): Rule => (PERMISSIONS[group] as Record<string, Rule>)[name]!;
