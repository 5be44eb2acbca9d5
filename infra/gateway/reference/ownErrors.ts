/** The errors of single operations, besides those that follow from every declaration: see `errors.ts`. */
import type * as admin from '#functions/admin/index.ts';
import type * as botChat from '#functions/botChat/index.ts';
import type * as chat from '#functions/chat/index.ts';
import type * as cognitive from '#functions/cognitive/index.ts';
import type * as files from '#functions/files/index.ts';
import type * as tables from '#functions/tables/index.ts';
import { type ErrorType, NOT_IMPLEMENTED, STATUS_OF } from '#shared/core/errors.ts';

export interface DocumentedError {
  status: number;
  type: ErrorType;
  /** A sentence. */
  when: string;
}

const error = (type: ErrorType, when: string, status: number = STATUS_OF[type]): DocumentedError => ({
  status,
  type,
  when,
});
const exists = (when: string) => error('AlreadyExists', when);
const limit = (when: string) => error('LimitExceeded', when);
const unknown = (when: string) => error('ReferenceNotFound', when);

const MESSAGE_QUOTA = error('QuotaExceeded', "The workspace's messages of this month are used up.");
const STORAGE_QUOTA = error('QuotaExceeded', "The workspace's storage is used up.");
const ROW_QUOTA = error('QuotaExceeded', "The workspace's rows are used up.");
const BOT_QUOTA = error('QuotaExceeded', 'The workspace has as many bots as its quota allows.');
const MEMBER_QUOTA = error('QuotaExceeded', 'The workspace has as many members as its quota allows.');
const MODEL_QUOTA = error('QuotaExceeded', "The workspace's spending on the model is used up.");
const PARTICIPANTS = limit('The conversation has as many participants as it can.');
const MEMBERSHIPS = limit('The account is in as many workspaces as it can be.');
const ANSWER = limit('The answer is larger than 6 MB, and the caller does not accept gzip.');
const NO_CONVERSATION = error('ResourceNotFound', 'There is no conversation with the id in `conversationId`.');
const NO_BOT = error('ResourceNotFound', 'There is no bot with the id in `installedByBotId`.');
const ALIAS = unknown('No installation has the alias in `integrationName`.');
const BY_INTEGRATION = [
  error('Runtime', "The integration's endpoint, which creates the record, failed or answered wrongly."),
  error('OperationTimeout', "The integration's endpoint did not answer in time."),
];
const REFERENCES = unknown('The definition refers to an interface or integration that does not exist.');
const VERSIONS = [
  exists('The workspace has this name and version, or another workspace has published the name.'),
  limit('The definition or its code is too large.'),
];
const LAST_OWNER = error('ReferenceConstraint', 'The last owner of a workspace stays its owner.');
const HUB_NAME = exists('Another workspace has published this name.');
const DISCRIMINATION = limit('Too many records have these tags: name one that fewer have in `discriminateByTags`.');
const TABLE_NAME = exists('The bot has a table of this name.');
const FROZEN = error('RelationConflict', 'The table is frozen.');
const DEFINITIONS = limit("The schemas and tags of all the bot's tables exceed their limit.");
const MODEL = [
  error('Runtime', 'The model refused the request, or its answer cannot be used.'),
  error('OperationTimeout', 'The model did not answer in time.'),
  error('MethodNotFound', 'The installation has no language model.', NOT_IMPLEMENTED),
];

type Own<Group> = { readonly [Name in keyof Group]?: readonly DocumentedError[] };

const CHAT: Own<typeof chat> = {
  createUser: [
    exists('There is a user with this id.'),
    error('Unauthorized', 'The owner of the bot signs the user keys, so that getOrCreateUser creates users.'),
  ],
  getOrCreateUser: [error('Forbidden', 'The user belongs to another integration.')],
  createConversation: [exists('There is a conversation with this id.')],
  getOrCreateConversation: [
    error('Forbidden', 'There is a conversation with this id, in which the caller takes no part.'),
  ],
  initializeConversation: [error('Forbidden', 'The caller takes no part in the conversation.')],
  addParticipant: [PARTICIPANTS],
  createMessage: [MESSAGE_QUOTA],
  createEvent: [MESSAGE_QUOTA],
  createFile: [
    error('Forbidden', 'The installation does not take files of users.'),
    exists('The caller has a file with this key.'),
    STORAGE_QUOTA,
  ],
};

const BOT_CHAT: Own<typeof botChat> = {
  addParticipant: [PARTICIPANTS],
  callAction: [
    unknown('The bot or the installation has no such action, or there is no such installation.'),
    error('Runtime', 'The endpoint failed or could not be reached, or its answer has no output.'),
    error('OperationTimeout', 'The endpoint did not answer within 10 seconds.'),
  ],
  cancelScheduledEvent: [error('RelationConflict', 'The event is no longer waiting for its time.')],
  createConversation: [ALIAS, ...BY_INTEGRATION],
  createUser: [ALIAS, ...BY_INTEGRATION],
  getOrCreateConversation: [ALIAS, DISCRIMINATION],
  getOrCreateUser: [ALIAS, DISCRIMINATION],
  createEvent: [error('Forbidden', 'Only the platform, or the integration itself, raises events of this type.')],
  createMessage: [MESSAGE_QUOTA, PARTICIPANTS],
  getOrCreateMessage: [MESSAGE_QUOTA, PARTICIPANTS, DISCRIMINATION],
  importMessages: [MESSAGE_QUOTA, PARTICIPANTS, DISCRIMINATION],
  initializeIncomingMessage: [ALIAS, MESSAGE_QUOTA, PARTICIPANTS, DISCRIMINATION],
  getOrCreateWorkflow: [DISCRIMINATION],
  listConversations: [ALIAS],
  listUsers: [NO_CONVERSATION, limit('The conversation has too many users to sort.')],
  listMessages: [NO_CONVERSATION],
  updateMessage: [error('ResourceLockedConflict', 'The message is scheduled: delete it, and schedule another.')],
};

const ADMIN: Own<typeof admin> = {
  acceptInvitation: [error('Unauthorized', 'The invitation is invalid, used or expired.'), MEMBERSHIPS],
  joinWorkspace: [
    error('Forbidden', 'The token is that of a bot or an integration.'),
    exists('The account is a member of the workspace.'),
    MEMBERSHIPS,
  ],
  createWorkspace: [MEMBERSHIPS],
  updateWorkspace: [exists('Another workspace has the handle.'), HUB_NAME],
  createWorkspaceMember: [exists('The address is that of a member, or is invited.'), MEMBER_QUOTA],
  updateWorkspaceMember: [LAST_OWNER],
  deleteWorkspaceMember: [LAST_OWNER],
  exportWorkspace: [error('ResourceLockedConflict', 'An export of the workspace is in progress.')],
  createBot: [BOT_QUOTA, limit('The definition, its code or its recurring events exceed their limits.')],
  updateBot: [
    unknown('An integration does not exist, or is private to another workspace.'),
    limit('The definition, its code, its recurring events or its installations exceed their limits.'),
    exists('The identifier of an installation belongs to another one.'),
  ],
  transferBot: [BOT_QUOTA, error('ReferenceConstraint', 'The bot has private integrations of its workspace.')],
  listIntegrations: [NO_BOT],
  listPublicIntegrations: [NO_BOT],
  getBotWebchat: [unknown('The webchat is not installed on the bot.')],
  createIntegration: [
    ...VERSIONS,
    REFERENCES,
    error('QuotaExceeded', 'The workspace has as many integrations as its quota allows.'),
  ],
  updateIntegration: [...VERSIONS, REFERENCES],
  validateIntegrationCreation: [...VERSIONS, REFERENCES],
  validateIntegrationUpdate: [...VERSIONS, REFERENCES],
  deleteIntegration: [error('ReferenceConstraint', 'The integration is installed on a bot.')],
  createInterface: VERSIONS,
  updateInterface: VERSIONS,
  createPlugin: [...VERSIONS, REFERENCES],
  updatePlugin: [...VERSIONS, REFERENCES],
  getDereferencedPlugin: [
    unknown('An interface or integration does not exist.'),
    limit('The definition is too large.'),
  ],
  getDereferencedPublicPluginById: [
    unknown('An interface or integration does not exist.'),
    limit('The definition is too large.'),
  ],
  requestBodyUpload: [error('PayloadTooLarge', 'No operation takes a body of this size.')],
};

const KNOWLEDGE_BASE = unknown('The knowledge base in the tags does not exist.');

const FILES: Own<typeof files> = {
  upsertFile: [KNOWLEDGE_BASE, STORAGE_QUOTA, error('PayloadTooLarge', 'A file cannot be as large as `size`.')],
  copyFile: [
    KNOWLEDGE_BASE,
    STORAGE_QUOTA,
    exists('There is a file with the destination key, and `overwrite` is not set.'),
  ],
  updateFileMetadata: [KNOWLEDGE_BASE],
};

const TABLES: Own<typeof tables> = {
  createTable: [TABLE_NAME, DEFINITIONS],
  getOrCreateTable: [DEFINITIONS],
  duplicateTable: [TABLE_NAME, DEFINITIONS, ROW_QUOTA],
  updateTable: [TABLE_NAME, FROZEN, limit('The table has too many rows for this change in one call.')],
  renameTableColumn: [exists('The table has a column of the new name.'), FROZEN],
  createTableRows: [ROW_QUOTA],
  updateTableRows: [ROW_QUOTA],
  upsertTableRows: [
    ROW_QUOTA,
    limit('The table has too many rows to look for the values of a column that is not its key.'),
  ],
  deleteTableRows: [limit('The table has too many rows to filter in one call.')],
  findTableRows: [limit('The table has too many rows to filter, sort or group in one call.')],
};

const COGNITIVE: Own<typeof cognitive> = {
  generateText: [...MODEL, MODEL_QUOTA],
  generateTextStream: [...MODEL, MODEL_QUOTA],
  listModels: [error('MethodNotFound', 'The installation has no language model.', NOT_IMPLEMENTED)],
};

const OWN: Readonly<Record<string, Readonly<Record<string, readonly DocumentedError[] | undefined>>>> = {
  chat: CHAT,
  botChat: BOT_CHAT,
  admin: ADMIN,
  files: FILES,
  tables: TABLES,
  cognitive: COGNITIVE,
};

export const ownErrorsOf = ({ group, name }: { group: string; name: string }): readonly DocumentedError[] =>
  OWN[group]?.[name] ?? [];

/** Of lists and of values that have no other limit. */
export const LARGE_ANSWER = ANSWER;
