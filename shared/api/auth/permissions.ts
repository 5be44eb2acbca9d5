/**
 * The permissions of the platform API: operation × role, bot key and integration key. The operations, the generated
 * authorisation tests and docs/permissions.md read this table; an operation without a row does not compile.
 *
 * Each role gets the least its work needs: a viewer reads, a developer builds, a manager runs all bots, an administrator
 * manages members and the workspace, billing sees usage and nothing of the bots (docs/compatibility.md#roles).
 */
import { ROLES, type Role } from '#shared/dynamodb/workspace/roles.ts';

/** Anything that calls with a token: an account in one of its roles, a bot or an integration. */
export type Actor = Role | 'bot' | 'integration';

/** `own`: only resources that the caller created, or the caller itself. */
export type Right = 'yes' | 'own';
export type Rule = Partial<Record<Actor, Right>>;

/** Each role includes the ones before it; billing stands apart. */
const HIERARCHY: readonly Role[] = ['viewer', 'developer', 'manager', 'administrator', 'owner'];

/** This role and all above it. */
const from = (role: Role): Rule =>
  Object.fromEntries(HIERARCHY.slice(HIERARCHY.indexOf(role)).map(each => [each, 'yes' as const]));
const everyone: Rule = Object.fromEntries(ROLES.map(role => [role, 'yes' as const]));
const ownOf = (...roles: Role[]): Rule => Object.fromEntries(roles.map(role => [role, 'own' as const]));

/** These roles, the bot itself, and its integrations. */
const withKeys = (roles: Rule): Rule => ({ ...roles, bot: 'yes', integration: 'own' });

export const PERMISSIONS = {
  admin: {
    // The caller's own account.
    getAccount: everyone,
    updateAccount: everyone,
    listPersonalAccessTokens: everyone,
    createPersonalAccessToken: everyone,
    deletePersonalAccessToken: everyone,
    getAccountPreference: everyone,
    setAccountPreference: everyone,
    introspect: { ...everyone, bot: 'own', integration: 'own' },

    listWorkspaces: everyone,
    createWorkspace: everyone,
    getWorkspace: everyone,
    updateWorkspace: from('administrator'),
    deleteWorkspace: from('owner'),
    checkHandleAvailability: everyone,
    listPublicWorkspaces: everyone,
    getPublicWorkspace: everyone,
    getWorkspacePreference: everyone,
    setWorkspacePreference: from('developer'),
    getAuditRecords: from('manager'),
    listWorkspaceUsages: everyone,
    breakDownWorkspaceUsageByBot: everyone,
    getWorkspaceQuota: everyone,
    listWorkspaceQuotas: everyone,
    getUsage: everyone,
    getMultipleUsages: everyone,
    listUsageHistory: everyone,

    listWorkspaceMembers: everyone,
    getWorkspaceMember: everyone,
    createWorkspaceMember: from('administrator'),
    updateWorkspaceMember: from('administrator'),
    // Every member may leave.
    deleteWorkspaceMember: { ...ownOf('viewer', 'billing', 'developer', 'manager'), ...from('administrator') },

    listBots: from('viewer'),
    getBot: { ...from('viewer'), bot: 'own' },
    getBotLogs: from('viewer'),
    getBotAnalytics: from('viewer'),
    getBotWebchat: from('viewer'),
    createBot: from('developer'),
    updateBot: from('developer'),
    rotateBotSigningSecrets: from('developer'),
    listParkedWork: from('developer'),
    redriveParkedWork: from('developer'),
    replayBotEvents: from('developer'),
    deleteBot: { ...ownOf('developer'), ...from('manager') },
    transferBot: from('manager'),
    listBotApiKeys: from('developer'),
    createBotApiKey: from('developer'),
    deleteBotApiKey: from('developer'),
    createIntegrationShareableId: from('developer'),
    getIntegrationShareableId: from('developer'),
    deleteIntegrationShareableId: from('developer'),

    listIntegrations: from('viewer'),
    getIntegration: from('viewer'),
    getIntegrationByName: from('viewer'),
    getIntegrationLogs: from('viewer'),
    createIntegration: from('developer'),
    updateIntegration: from('developer'),
    rotateIntegrationSigningSecrets: from('developer'),
    deleteIntegration: { ...ownOf('developer'), ...from('manager') },
    validateIntegrationCreation: from('developer'),
    validateIntegrationUpdate: from('developer'),
    listIntegrationApiKeys: from('developer'),
    createIntegrationApiKey: from('developer'),
    deleteIntegrationApiKey: from('developer'),

    listInterfaces: from('viewer'),
    getInterface: from('viewer'),
    getInterfaceByName: from('viewer'),
    createInterface: from('developer'),
    updateInterface: from('developer'),
    deleteInterface: { ...ownOf('developer'), ...from('manager') },

    listPlugins: from('viewer'),
    getPlugin: from('viewer'),
    getPluginByName: from('viewer'),
    getPluginCode: from('viewer'),
    getDereferencedPlugin: from('viewer'),
    createPlugin: from('developer'),
    updatePlugin: from('developer'),
    deletePlugin: { ...ownOf('developer'), ...from('manager') },

    // What is public in this installation.
    listPublicIntegrations: from('viewer'),
    getPublicIntegrationById: from('viewer'),
    getPublicIntegration: from('viewer'),
    listPublicInterfaces: from('viewer'),
    getPublicInterfaceById: from('viewer'),
    getPublicInterface: from('viewer'),
    listPublicPlugins: from('viewer'),
    getPublicPluginById: from('viewer'),
    getPublicPlugin: from('viewer'),
    getPublicPluginCode: from('viewer'),
    getDereferencedPublicPluginById: from('viewer'),
  },

  // An integration reaches what came through its own installation. Workflows and actions belong to the bot.
  botChat: {
    createConversation: withKeys(from('developer')),
    getConversation: withKeys(from('viewer')),
    listConversations: withKeys(from('viewer')),
    getOrCreateConversation: withKeys(from('developer')),
    updateConversation: withKeys(from('developer')),
    deleteConversation: withKeys(from('developer')),
    listParticipants: withKeys(from('viewer')),
    addParticipant: withKeys(from('developer')),
    getParticipant: withKeys(from('viewer')),
    removeParticipant: withKeys(from('developer')),

    createEvent: withKeys(from('developer')),
    getEvent: withKeys(from('viewer')),
    listEvents: withKeys(from('viewer')),
    cancelScheduledEvent: withKeys(from('developer')),

    createMessage: withKeys(from('developer')),
    getOrCreateMessage: withKeys(from('developer')),
    getMessage: withKeys(from('viewer')),
    updateMessage: withKeys(from('developer')),
    listMessages: withKeys(from('viewer')),
    deleteMessage: withKeys(from('developer')),
    initializeIncomingMessage: withKeys(from('developer')),
    importMessages: withKeys(from('developer')),

    createUser: withKeys(from('developer')),
    getUser: withKeys(from('viewer')),
    listUsers: withKeys(from('viewer')),
    getOrCreateUser: withKeys(from('developer')),
    updateUser: withKeys(from('developer')),
    deleteUser: withKeys(from('developer')),

    setStateExpiry: withKeys(from('developer')),
    getState: withKeys(from('viewer')),
    setState: withKeys(from('developer')),
    getOrSetState: withKeys(from('developer')),
    patchState: withKeys(from('developer')),

    // What the integration itself knows.
    configureIntegration: { integration: 'own' },
    callAction: { ...from('developer'), bot: 'yes' },
    createWorkflow: { ...from('developer'), bot: 'yes' },
    getWorkflow: { ...from('viewer'), bot: 'yes' },
    updateWorkflow: { ...from('developer'), bot: 'yes' },
    deleteWorkflow: { ...from('developer'), bot: 'yes' },
    listWorkflows: { ...from('viewer'), bot: 'yes' },
    getOrCreateWorkflow: { ...from('developer'), bot: 'yes' },
    listTagValues: withKeys(from('viewer')),
    listStates: withKeys(from('viewer')),
  },

  // An integration reaches its own files and the shared ones: see `fileRecords/scope.ts` and
  // docs/compatibility.md#file-permissions.
  files: {
    upsertFile: withKeys(from('developer')),
    deleteFile: withKeys(from('developer')),
    listFiles: withKeys(from('viewer')),
    getFile: withKeys(from('viewer')),
    updateFileMetadata: withKeys(from('developer')),
    copyFile: withKeys(from('developer')),
    searchFiles: withKeys(from('viewer')),
    listFilePassages: withKeys(from('viewer')),
    setFilePassages: withKeys(from('developer')),
    listFileTags: withKeys(from('viewer')),
    listFileTagValues: withKeys(from('viewer')),
    createKnowledgeBase: withKeys(from('developer')),
    deleteKnowledgeBase: withKeys(from('developer')),
    updateKnowledgeBase: withKeys(from('developer')),
    listKnowledgeBases: withKeys(from('viewer')),
  },

  // The workspace pays for the model, so that no integration of somebody else's may ask it.
  cognitive: {
    generateText: { ...from('developer'), bot: 'yes' },
    generateTextStream: { ...from('developer'), bot: 'yes' },
    listModels: { ...from('viewer'), bot: 'yes' },
  },

  // Integration keys have no access to tables (docs/compatibility.md#roles).
  tables: {
    listTables: { ...from('viewer'), bot: 'yes' },
    getTable: { ...from('viewer'), bot: 'yes' },
    getOrCreateTable: { ...from('developer'), bot: 'yes' },
    createTable: { ...from('developer'), bot: 'yes' },
    duplicateTable: { ...from('developer'), bot: 'yes' },
    // It creates a file, which a viewer cannot.
    exportTable: { ...from('developer'), bot: 'yes' },
    getTableJobs: { ...from('viewer'), bot: 'yes' },
    importTable: { ...from('developer'), bot: 'yes' },
    updateTable: { ...from('developer'), bot: 'yes' },
    renameTableColumn: { ...from('developer'), bot: 'yes' },
    deleteTable: { ...from('developer'), bot: 'yes' },
    getTableRow: { ...from('viewer'), bot: 'yes' },
    findTableRows: { ...from('viewer'), bot: 'yes' },
    createTableRows: { ...from('developer'), bot: 'yes' },
    deleteTableRows: { ...from('developer'), bot: 'yes' },
    updateTableRows: { ...from('developer'), bot: 'yes' },
    upsertTableRows: { ...from('developer'), bot: 'yes' },
  },
} as const satisfies Record<string, Record<string, Rule>>;

/** The groups of the platform API. */
export type PlatformGroup = keyof typeof PERMISSIONS;
export type RuledOperation<Group extends PlatformGroup> = keyof (typeof PERMISSIONS)[Group] & string;

export const ruleOf = (group: PlatformGroup, name: string): Rule => (PERMISSIONS[group] as Record<string, Rule>)[name]!;
