/** Errors of single operations, in addition to those that `errors.ts` derives. */
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

const MESSAGE_QUOTA = error('QuotaExceeded', 'The workspace has reached its monthly message quota.');
const STORAGE_QUOTA = error('QuotaExceeded', 'The workspace has reached its storage quota.');
const ROW_QUOTA = error('QuotaExceeded', 'The workspace has reached its quota of table rows.');
const BOT_QUOTA = error('QuotaExceeded', 'The workspace has reached its bot quota.');
const MEMBER_QUOTA = error('QuotaExceeded', 'The workspace has reached its member quota.');
const MODEL_QUOTA = error('QuotaExceeded', 'The workspace has reached its spending limit for models.');
const PARTICIPANTS = limit('The conversation has the maximum number of participants.');
const MEMBERSHIPS = limit('The account is a member of the maximum number of workspaces.');
const ASSIGNED = error('RelationConflict', 'The conversation is assigned to another member, or the handoff was ended.');
const MEMBER = unknown('`accountId` names no member who may be assigned to conversations.');
const ANSWER = limit('The response exceeds 6 MB, and the caller does not accept gzip.');
const NO_CONVERSATION = error('ResourceNotFound', 'The conversation in `conversationId` does not exist.');
const NO_BOT = error('ResourceNotFound', 'The bot in `installedByBotId` does not exist.');
const ALIAS = unknown('No installation has the alias in `integrationName`.');
const BY_INTEGRATION = [
  error('Runtime', "The integration's endpoint, which creates the record, failed or returned an invalid response."),
  error('OperationTimeout', "The integration's endpoint did not respond in time."),
];
const REFERENCES = unknown('The definition refers to an interface or integration that does not exist.');
const VERSIONS = [
  exists('The workspace has this name and version, or another workspace has published the name.'),
  limit('The definition or its code is too large.'),
];
const LAST_OWNER = error('ReferenceConstraint', 'A workspace must have an owner. Add another owner first.');
const HUB_NAME = exists('Another workspace has published this name.');
const DISCRIMINATION = limit('Too many records have these tags. Set a rarer tag in `discriminateByTags`.');
const TABLE_NAME = exists('The bot has a table with this name.');
const FROZEN = error('RelationConflict', 'The table is frozen.');
const DEFINITIONS = limit("The schemas and tags of all the bot's tables exceed their limit.");
const MODEL = [
  error('Runtime', 'The model rejected the request, or its response is unusable.'),
  error('OperationTimeout', 'The model did not respond in time.'),
  error('MethodNotFound', 'The installation has no language model.', NOT_IMPLEMENTED),
];

type Own<Group> = { readonly [Name in keyof Group]?: readonly DocumentedError[] };

const CHAT: Own<typeof chat> = {
  createUser: [
    exists('A user with this id exists.'),
    error('Unauthorized', 'The owner of the bot signs the user keys. Call getOrCreateUser to create a user.'),
  ],
  getOrCreateUser: [error('Forbidden', 'The user belongs to another integration.')],
  createConversation: [exists('A conversation with this id exists.')],
  getOrCreateConversation: [
    error('Forbidden', 'A conversation with this id exists, and the caller is not a participant.'),
  ],
  initializeConversation: [error('Forbidden', 'The caller is not a participant of the conversation.')],
  addParticipant: [PARTICIPANTS],
  createMessage: [MESSAGE_QUOTA],
  createEvent: [MESSAGE_QUOTA],
  createFile: [
    error('Forbidden', 'The installation does not accept files of users.'),
    exists('The caller has a file with this key.'),
    STORAGE_QUOTA,
  ],
};

const BOT_CHAT: Own<typeof botChat> = {
  addParticipant: [PARTICIPANTS],
  callAction: [
    unknown('The bot or the installation has no such action, or the installation does not exist.'),
    error('Runtime', 'The endpoint failed or was unreachable, or its response has no output.'),
    error('OperationTimeout', 'The endpoint did not respond within 10 seconds.'),
  ],
  retryMessage: [error('RelationConflict', 'No delivery of the message has failed.')],
  startHandoff: [ASSIGNED, MEMBER],
  assignHandoff: [ASSIGNED, MEMBER],
  endHandoff: [ASSIGNED],
  replyInHandoff: [ASSIGNED, MESSAGE_QUOTA, PARTICIPANTS],
  showTypingInHandoff: [ASSIGNED],
  markHandoffRead: [ASSIGNED],
  cancelScheduledEvent: [error('RelationConflict', 'The event is no longer scheduled.')],
  createConversation: [ALIAS, ...BY_INTEGRATION],
  createUser: [ALIAS, ...BY_INTEGRATION],
  getOrCreateConversation: [ALIAS, DISCRIMINATION],
  getOrCreateUser: [ALIAS, DISCRIMINATION],
  createEvent: [error('Forbidden', 'Only the platform or the integration itself may create events of this type.')],
  createMessage: [MESSAGE_QUOTA, PARTICIPANTS],
  getOrCreateMessage: [MESSAGE_QUOTA, PARTICIPANTS, DISCRIMINATION],
  importMessages: [MESSAGE_QUOTA, PARTICIPANTS, DISCRIMINATION],
  initializeIncomingMessage: [ALIAS, MESSAGE_QUOTA, PARTICIPANTS, DISCRIMINATION],
  getOrCreateWorkflow: [DISCRIMINATION],
  listConversations: [ALIAS],
  listUsers: [NO_CONVERSATION, limit('The conversation has too many users to sort.')],
  listMessages: [NO_CONVERSATION],
  updateMessage: [error('ResourceLockedConflict', 'The message is scheduled. Delete it and schedule another.')],
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
  createWorkspaceMember: [exists('The address belongs to a member or has an invitation.'), MEMBER_QUOTA],
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
  getBotWebchat: [unknown('The bot has no chat, or none that the webchat client can use.')],
  createIntegration: [
    ...VERSIONS,
    REFERENCES,
    error('QuotaExceeded', 'The workspace has reached its integration quota.'),
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
  requestBodyUpload: [error('PayloadTooLarge', 'The size exceeds the body limit of every operation.')],
};

const KNOWLEDGE_BASE = unknown('The knowledge base in the tags does not exist.');

const FILES: Own<typeof files> = {
  upsertFile: [
    KNOWLEDGE_BASE,
    STORAGE_QUOTA,
    error('PayloadTooLarge', 'The value of `size` exceeds the limit of a file.'),
  ],
  copyFile: [
    KNOWLEDGE_BASE,
    STORAGE_QUOTA,
    exists('A file with the destination key exists, and `overwrite` is not set.'),
  ],
  updateFileMetadata: [KNOWLEDGE_BASE],
};

const TABLES: Own<typeof tables> = {
  createTable: [TABLE_NAME, DEFINITIONS],
  getOrCreateTable: [DEFINITIONS],
  duplicateTable: [TABLE_NAME, DEFINITIONS, ROW_QUOTA],
  updateTable: [TABLE_NAME, FROZEN, limit('The table has too many rows for this change in one call.')],
  renameTableColumn: [exists('The table has a column with the new name.'), FROZEN],
  createTableRows: [ROW_QUOTA],
  updateTableRows: [ROW_QUOTA],
  upsertTableRows: [ROW_QUOTA, limit('The table has too many rows for an upsert by a column that is not its key.')],
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

/** Applies to lists and to values without another limit. */
export const LARGE_RESPONSE = ANSWER;
