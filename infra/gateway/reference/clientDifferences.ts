/** Differences between the platform's operations and the clients' types. A test compiles the samples. */
import type { Operation } from '#shared/api/operations/operations.ts';

/** Operations that `@botpress/client` and `@botpress/chat` lack, by group. */
const ABSENT: Partial<Record<Operation['group'], readonly string[]>> = {
  admin: [
    'acceptInvitation',
    'createMemberSignInLink',
    'createOAuthState',
    'createSession',
    'deleteSession',
    'deleteSingleSignOn',
    'exportWorkspace',
    'finishSingleSignOn',
    'getBotWidget',
    'getSingleSignOn',
    'getWorkspaceExport',
    'inspectInvitation',
    'joinWorkspace',
    'listBotEndpoints',
    'listDeadLetters',
    'listSessions',
    'redriveDeadLetters',
    'renewInvitation',
    'replayBotEvents',
    'requestBodyUpload',
    'retryBotEndpoint',
    'setBotWidget',
    'setSingleSignOn',
    'startSingleSignOn',
    'updateBotDeliveries',
  ],
  botChat: [
    'assignHandoff',
    'countHandoffs',
    'countInboxHandoffs',
    'createFileInHandoff',
    'createInboxLabel',
    'createNote',
    'createSavedReply',
    'deleteInboxLabel',
    'deleteNote',
    'deleteSavedReply',
    'endHandoff',
    'eraseUser',
    'getHandoff',
    'getInboxReport',
    'getInboxSettings',
    'getPresence',
    'listHandoffs',
    'listInboxAgents',
    'listInboxHandoffs',
    'listInboxLabels',
    'listMentions',
    'listNotes',
    'listPendingDeliveries',
    'listSavedReplies',
    'listStates',
    'markHandoffRead',
    'markMentionsRead',
    'replyInHandoff',
    'retryMessage',
    'searchInbox',
    'searchInboxMessages',
    'setInboxAvailability',
    'showPresence',
    'showTypingInHandoff',
    'snoozeHandoff',
    'setHandoffPriority',
    'startHandoff',
    'updateConversationLabels',
    'updateInboxLabel',
    'updateInboxSettings',
    'updateSavedReply',
    'updateUserContact',
  ],
  chat: [
    'addMessageFeedback',
    'createFile',
    'generateUserKey',
    'getOrCreateCurrentConversation',
    'getWidget',
    'hello',
    'initializeConversation',
    'markRead',
    'rateHandoff',
    'removeMessageFeedback',
    'sendPerfMetrics',
    'setVisit',
    'showTyping',
    'updateMessage',
  ],
  cognitive: ['generateText', 'generateTextStream', 'listModels'],
  files: ['readPublicContent'],
};

export const isAbsentInClients = ({ group, name }: Pick<Operation, 'group' | 'name'>): boolean =>
  ABSENT[group]?.includes(name) ?? false;

/** Fields of requests and responses that only the platform has. */
const ONLY_HERE: Readonly<Record<string, readonly string[]>> = {
  createPersonalAccessToken: ['expiresAt'],
  deployBotVersion: ['status', 'statusReason'],
  getBotVersion: ['definition', 'version'],
  renameTableColumn: ['warnings'],
};

export const isInClients = ({ name }: Pick<Operation, 'name'>, field: string): boolean =>
  !ONLY_HERE[name]?.includes(field);

/** Operations whose response has no fields in the clients. */
export const WITHOUT_RESULT: ReadonlySet<string> = new Set(['deleteWorkspaceMember']);
