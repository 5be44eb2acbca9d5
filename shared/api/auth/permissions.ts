/**
 * Who may do what on the platform's interfaces: operation × role, and × bot and integration. The one place where it is
 * written; the operations, the matrix test and the README's table read it here. An operation without a row does not
 * compile.
 *
 * The roles are the specification's and FACTS 1.7's. Where both are silent we chose the least that the role's work needs:
 * a viewer looks, a developer builds, a manager minds all bots, an administrator minds people and the workspace, billing
 * sees what it costs and nothing of the bots.
 */

/** From the least to the most powerful; billing stands beside the line. */
export const ROLES = ['viewer', 'billing', 'developer', 'manager', 'administrator', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Everything that can call with a token: an account in one of its roles, or a bot or integration. */
export type Actor = Role | 'bot' | 'integration';

/** `own`: only what the caller created himself, or only himself. */
export type Right = 'yes' | 'own';
export type Rule = Partial<Record<Actor, Right>>;

const LINE: readonly Role[] = ['viewer', 'developer', 'manager', 'administrator', 'owner'];

/** This role and all above it. */
const from = (role: Role): Rule =>
  Object.fromEntries(LINE.slice(LINE.indexOf(role)).map(each => [each, 'yes' as const]));
const everyone: Rule = Object.fromEntries(ROLES.map(role => [role, 'yes' as const]));
const ownOf = (...roles: Role[]): Rule => Object.fromEntries(roles.map(role => [role, 'own' as const]));

/** These roles, the bot itself, and its integrations. */
const everySide = (roles: Rule): Rule => ({ ...roles, bot: 'yes', integration: 'own' });

export const PERMISSIONS = {
  admin: {
    // One's own account. Inviting, and the rest, is below.
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
    // Everyone may leave.
    deleteWorkspaceMember: { ...ownOf('viewer', 'billing', 'developer', 'manager'), ...from('administrator') },

    listBots: from('viewer'),
    getBot: from('viewer'),
    getBotLogs: from('viewer'),
    getBotAnalytics: from('viewer'),
    createBot: from('developer'),
    updateBot: from('developer'),
    rotateBotSigningSecrets: from('developer'),
    replayBotEvents: from('developer'),
    deleteBot: { ...ownOf('developer'), ...from('manager') },
    transferBot: from('manager'),
    listBotApiKeys: from('developer'),
    createBotApiKey: from('developer'),
    deleteBotApiKey: from('developer'),

    listIntegrations: from('viewer'),
    getIntegration: from('viewer'),
    getIntegrationByName: from('viewer'),
    getIntegrationLogs: from('viewer'),
    createIntegration: from('developer'),
    updateIntegration: from('developer'),
    rotateIntegrationSigningSecrets: from('developer'),
    deleteIntegration: { ...ownOf('developer'), ...from('manager') },
    listIntegrationApiKeys: from('developer'),
    createIntegrationApiKey: from('developer'),
    deleteIntegrationApiKey: from('developer'),
  },

  // An integration has its own: what came through its installation. Workflows and actions are the bot's business.
  botChat: {
    createConversation: everySide(from('developer')),
    getConversation: everySide(from('viewer')),
    listConversations: everySide(from('viewer')),
    getOrCreateConversation: everySide(from('developer')),
    updateConversation: everySide(from('developer')),
    deleteConversation: everySide(from('developer')),
    listParticipants: everySide(from('viewer')),
    addParticipant: everySide(from('developer')),
    getParticipant: everySide(from('viewer')),
    removeParticipant: everySide(from('developer')),

    createEvent: everySide(from('developer')),
    getEvent: everySide(from('viewer')),
    listEvents: everySide(from('viewer')),
    cancelScheduledEvent: everySide(from('developer')),

    createMessage: everySide(from('developer')),
    getOrCreateMessage: everySide(from('developer')),
    getMessage: everySide(from('viewer')),
    updateMessage: everySide(from('developer')),
    listMessages: everySide(from('viewer')),
    deleteMessage: everySide(from('developer')),
    initializeIncomingMessage: everySide(from('developer')),
    importMessages: everySide(from('developer')),

    createUser: everySide(from('developer')),
    getUser: everySide(from('viewer')),
    listUsers: everySide(from('viewer')),
    getOrCreateUser: everySide(from('developer')),
    updateUser: everySide(from('developer')),
    deleteUser: everySide(from('developer')),

    setStateExpiry: everySide(from('developer')),
    getState: everySide(from('viewer')),
    setState: everySide(from('developer')),
    getOrSetState: everySide(from('developer')),
    patchState: everySide(from('developer')),

    callAction: { ...from('developer'), bot: 'yes' },
    createWorkflow: { ...from('developer'), bot: 'yes' },
    getWorkflow: { ...from('viewer'), bot: 'yes' },
    updateWorkflow: { ...from('developer'), bot: 'yes' },
    deleteWorkflow: { ...from('developer'), bot: 'yes' },
    listWorkflows: { ...from('viewer'), bot: 'yes' },
    getOrCreateWorkflow: { ...from('developer'), bot: 'yes' },
    listTagValues: everySide(from('viewer')),
  },

  // The specification's *File permissions*. An integration has its own files, and those that are shared: `files/scope.ts`.
  files: {
    upsertFile: everySide(from('developer')),
    deleteFile: everySide(from('developer')),
    listFiles: everySide(from('viewer')),
    getFile: everySide(from('viewer')),
    updateFileMetadata: everySide(from('developer')),
    copyFile: everySide(from('developer')),
    searchFiles: everySide(from('viewer')),
    listFilePassages: everySide(from('viewer')),
    setFilePassages: everySide(from('developer')),
    listFileTags: everySide(from('viewer')),
    listFileTagValues: everySide(from('viewer')),
    createKnowledgeBase: everySide(from('developer')),
    deleteKnowledgeBase: everySide(from('developer')),
    updateKnowledgeBase: everySide(from('developer')),
    listKnowledgeBases: everySide(from('viewer')),
  },

  // An integration's key is none for tables (FACTS 1.7).
  tables: {
    listTables: { ...from('viewer'), bot: 'yes' },
    getTable: { ...from('viewer'), bot: 'yes' },
    getOrCreateTable: { ...from('developer'), bot: 'yes' },
    createTable: { ...from('developer'), bot: 'yes' },
    duplicateTable: { ...from('developer'), bot: 'yes' },
    // It makes a file, which a viewer cannot.
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

/** The interfaces whose operations the table rules, each a folder below `functions/`. */
export type PlatformGroup = keyof typeof PERMISSIONS;
export type RuledOperation<Group extends PlatformGroup> = keyof (typeof PERMISSIONS)[Group] & string;

export const ruleOf = (group: PlatformGroup, name: string): Rule => (PERMISSIONS[group] as Record<string, Rule>)[name]!;
