/** Operations of the public API that the official client does not have (docs/reference). */
import { configuration } from '../session/configuration.ts';
import { reportCallError } from './callErrors.ts';
import type { Body, HandoffFilters, InboxFilters, OperationName, Output } from './contract.ts';

export type Parley = ReturnType<typeof parley>;

/** An API error in the form of the official client's. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly id: string | undefined;
  readonly type: string;
  readonly code: number;
  readonly metadata: Record<string, unknown>;

  constructor(code: number, body: { id?: string; type?: string; message?: string; metadata?: object }) {
    super(body.message ?? `The API returned ${code}.`);
    this.id = body.id;
    this.type = body.type ?? 'Unknown';
    this.code = code;
    this.metadata = { ...body.metadata };
  }
}

export function parley({
  token,
  workspaceId,
  botId,
  keepAlive = false,
}: {
  token: string;
  workspaceId?: string | undefined;
  botId?: string | undefined;
  /** Completes calls after the page was closed. */
  keepAlive?: boolean;
}) {
  const call = async <Name extends OperationName>(
    method: string,
    path: string,
    body?: Body<Name>,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<Output<Name>> => {
    const response = await fetch(`${configuration().apiUrl}/v1${path}`, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(workspaceId ? { 'x-workspace-id': workspaceId } : {}),
        ...(botId ? { 'x-bot-id': botId } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      keepalive: keepAlive,
      ...(signal ? { signal } : {}),
    });
    const answer = await response.json().catch(() => ({}));
    if (response.ok) return answer;
    const error = new CallError(response.status, answer);
    reportCallError(error);
    throw error;
  };
  const bot = `/admin/bots/${encodeURIComponent(botId ?? '')}`;
  const from = (nextToken: string | undefined) => query({ nextToken });
  const handoffs = '/chat/handoffs';
  const notes = (conversationId: string) => `/chat/conversations/${encodeURIComponent(conversationId)}/notes`;
  const presence = (conversationId: string) => `/chat/conversations/${encodeURIComponent(conversationId)}/presence`;

  return {
    listDeadLetters: (nextToken?: string) => call<'listDeadLetters'>('GET', `${bot}/parked${from(nextToken)}`),
    redriveDeadLetters: (body: Body<'redriveDeadLetters'>) =>
      call<'redriveDeadLetters'>('POST', `${bot}/parked/redrive`, body),
    replayEvents: (body: Body<'replayBotEvents'>) => call<'replayBotEvents'>('POST', `${bot}/events/replay`, body),
    /** With filters that the official client does not know. */
    listAuditRecords: (id: string, filters: Record<string, string | number | undefined>) =>
      call<'getAuditRecords'>('GET', `/admin/workspaces/${id}/audit-records${query(filters)}`),
    getWidget: (webhookId: string) => call<'getBotWidget'>('GET', `${bot}/widgets/${webhookId}`),
    setWidget: (webhookId: string, body: Body<'setBotWidget'>) =>
      call<'setBotWidget'>('PUT', `${bot}/widgets/${webhookId}`, body),
    listEndpoints: () => call<'listBotEndpoints'>('GET', `${bot}/endpoints`),
    retryEndpoint: (body: Body<'retryBotEndpoint'>) => call<'retryBotEndpoint'>('POST', `${bot}/endpoints/retry`, body),
    listPendingDeliveries: (conversationId: string) =>
      call<'listPendingDeliveries'>(
        'GET',
        `/chat/conversations/${encodeURIComponent(conversationId)}/pending-deliveries`,
      ),
    /** With filters that the official client does not know. */
    listStates: (filters: Record<string, string | number | undefined>) =>
      call<'listStates'>('GET', `/chat/states${query(filters)}`),
    createSession: (body: Body<'createSession'>) => call<'createSession'>('POST', '/admin/account/sessions', body),
    listSessions: () => call<'listSessions'>('GET', '/admin/account/sessions'),
    deleteSession: (id: string) => call<'deleteSession'>('DELETE', `/admin/account/sessions/${id}`),
    acceptInvitation: (body: Body<'acceptInvitation'>) =>
      call<'acceptInvitation'>('POST', '/admin/invitations/accept', body),
    listHandoffs: (filters: HandoffFilters & { nextToken?: string | undefined; version?: string | undefined }) =>
      call<'listHandoffs'>('GET', `${handoffs}${query({ ...filters })}`),
    listInboxHandoffs: (
      filters: InboxFilters & {
        botIds?: readonly string[];
        conversationIds?: readonly string[];
        labelId?: string | undefined;
        sortDirection?: 'asc' | 'desc';
        pageSize?: number;
        nextToken?: string | undefined;
      },
    ) => call<'listInboxHandoffs'>('GET', `/chat/inbox/handoffs${query({ ...filters })}`),
    countInboxHandoffs: (botIds: readonly string[]) =>
      call<'countInboxHandoffs'>('GET', `/chat/inbox/handoff-counts${query({ botIds })}`),
    getInboxReport: (filters: { botIds: readonly string[]; from: string; to: string; timeZone: string }) =>
      call<'getInboxReport'>('GET', `/chat/inbox/report${query({ ...filters })}`),
    listInboxAgents: (filters: { pageSize?: number; nextToken?: string | undefined }) =>
      call<'listInboxAgents'>('GET', `/chat/inbox/agents${query({ ...filters })}`),
    setInboxAvailability: (availability: 'online' | 'away') =>
      call<'setInboxAvailability'>('PUT', '/chat/inbox/availability', { availability }),
    getInboxSettings: () => call<'getInboxSettings'>('GET', '/chat/inbox/settings'),
    updateInboxSettings: (body: Body<'updateInboxSettings'>) =>
      call<'updateInboxSettings'>('PUT', '/chat/inbox/settings', body),
    listInboxLabels: () => call<'listInboxLabels'>('GET', '/chat/inbox/labels'),
    createInboxLabel: (body: Body<'createInboxLabel'>) => call<'createInboxLabel'>('POST', '/chat/inbox/labels', body),
    updateInboxLabel: (id: string, body: Body<'updateInboxLabel'>) =>
      call<'updateInboxLabel'>('PUT', `/chat/inbox/labels/${id}`, body),
    deleteInboxLabel: (id: string) => call<'deleteInboxLabel'>('DELETE', `/chat/inbox/labels/${id}`),
    updateConversationLabels: (conversationId: string, body: Body<'updateConversationLabels'>) =>
      call<'updateConversationLabels'>('PUT', `/chat/conversations/${encodeURIComponent(conversationId)}/labels`, body),
    updateUserContact: (userId: string, body: Body<'updateUserContact'>) =>
      call<'updateUserContact'>('PUT', `/chat/users/${userId}/contact`, body),
    /** With a field that the official client does not send. */
    inviteMember: (body: Body<'createWorkspaceMember'>) =>
      call<'createWorkspaceMember'>('POST', '/admin/workspace-members', body),
    /** With a field that the official client does not send. Null removes the limit. */
    updateMemberBots: (id: string, botIds: string[] | null) =>
      call<'updateWorkspaceMember'>('PUT', `/admin/workspace-members/${id}`, { botIds }),
    searchInbox: (filters: SearchFilters, signal: AbortSignal) =>
      call<'searchInbox'>('GET', `/chat/inbox/search${query({ ...filters })}`, undefined, {}, signal),
    searchInboxMessages: (filters: SearchFilters, signal: AbortSignal) =>
      call<'searchInboxMessages'>('GET', `/chat/inbox/search/messages${query({ ...filters })}`, undefined, {}, signal),
    startHandoff: (body: Body<'startHandoff'>) => call<'startHandoff'>('POST', handoffs, body),
    assignHandoff: (id: string, body: Body<'assignHandoff'>) =>
      call<'assignHandoff'>('POST', `${handoffs}/${id}/assign`, body),
    setHandoffPriority: (id: string, body: Body<'setHandoffPriority'>) =>
      call<'setHandoffPriority'>('PUT', `${handoffs}/${id}/priority`, body),
    snoozeHandoff: (id: string, body: Body<'snoozeHandoff'>) =>
      call<'snoozeHandoff'>('POST', `${handoffs}/${id}/snooze`, body),
    endHandoff: (id: string, body: Body<'endHandoff'>, key?: string) =>
      call<'endHandoff'>('POST', `${handoffs}/${id}/end`, body, key === undefined ? {} : { 'idempotency-key': key }),
    /** With the same key, a repeated call creates no second message. */
    replyInHandoff: (id: string, message: Body<'replyInHandoff'>, key: string) =>
      call<'replyInHandoff'>('POST', `${handoffs}/${id}/messages`, message, { 'idempotency-key': key }),
    createFileInHandoff: (id: string, body: Body<'createFileInHandoff'>) =>
      call<'createFileInHandoff'>('POST', `${handoffs}/${id}/files`, body),
    showTypingInHandoff: (id: string, isTyping: boolean) =>
      call<'showTypingInHandoff'>('POST', `${handoffs}/${id}/typing`, { isTyping }),
    markHandoffRead: (id: string, messageId: string) =>
      call<'markHandoffRead'>('PUT', `${handoffs}/${id}/read`, { messageId }),
    getPresence: (conversationId: string) => call<'getPresence'>('GET', presence(conversationId)),
    showPresence: (conversationId: string, body: Body<'showPresence'>) =>
      call<'showPresence'>('POST', presence(conversationId), body),
    listNotes: (conversationId: string, nextToken?: string) =>
      call<'listNotes'>('GET', `${notes(conversationId)}${query({ nextToken, pageSize: 100 })}`),
    createNote: (conversationId: string, note: Body<'createNote'>, key: string) =>
      call<'createNote'>('POST', notes(conversationId), note, { 'idempotency-key': key }),
    listMentions: (filters: { isUnread?: boolean; pageSize?: number; nextToken?: string | undefined }) =>
      call<'listMentions'>('GET', `/chat/inbox/mentions${query({ ...filters })}`),
    markMentionsRead: (noteIds: string[]) => call<'markMentionsRead'>('PUT', '/chat/inbox/mentions/read', { noteIds }),
    deleteNote: (id: string) => call<'deleteNote'>('DELETE', `/chat/notes/${id}`),
    listSavedReplies: (nextToken?: string) =>
      call<'listSavedReplies'>('GET', `/chat/saved-replies${query({ nextToken, pageSize: 100 })}`),
    createSavedReply: (body: Body<'createSavedReply'>) => call<'createSavedReply'>('POST', '/chat/saved-replies', body),
    updateSavedReply: (id: string, body: Body<'updateSavedReply'>) =>
      call<'updateSavedReply'>('PUT', `/chat/saved-replies/${id}`, body),
    deleteSavedReply: (id: string) => call<'deleteSavedReply'>('DELETE', `/chat/saved-replies/${id}`),
    retryMessage: (id: string) => call<'retryMessage'>('POST', `/chat/messages/${id}/retry`, {}),
    /** @param alias distinguishes installations of the same integration */
    createOAuthState: (integrationId: string, alias: string) =>
      call<'createOAuthState'>(
        'POST',
        `${bot}/integrations/${encodeURIComponent(integrationId)}/oauth-state${query({ integrationInstanceAlias: alias })}`,
      ),
    /** Replaces the operation of the official client, which omits scopes and expiry. */
    createPersonalAccessToken: (body: Body<'createPersonalAccessToken'>) =>
      call<'createPersonalAccessToken'>('POST', '/admin/account/pats', body),
    inspectInvitation: (body: Body<'inspectInvitation'>) =>
      call<'inspectInvitation'>('POST', '/admin/invitations/inspect', body),
    renewInvitation: (memberId: string) =>
      call<'renewInvitation'>('POST', `/admin/workspace-members/${memberId}/invitation`),
    createMemberSignInLink: (memberId: string) =>
      call<'createMemberSignInLink'>('POST', `/admin/workspace-members/${memberId}/sign-in-link`),
    getSingleSignOn: () =>
      call<'getSingleSignOn'>('GET', `/admin/workspaces/${encodeURIComponent(workspaceId ?? '')}/single-sign-on`),
    setSingleSignOn: (body: Body<'setSingleSignOn'>) =>
      call<'setSingleSignOn'>('PUT', `/admin/workspaces/${encodeURIComponent(workspaceId ?? '')}/single-sign-on`, body),
    deleteSingleSignOn: () =>
      call<'deleteSingleSignOn'>('DELETE', `/admin/workspaces/${encodeURIComponent(workspaceId ?? '')}/single-sign-on`),
    startSingleSignOn: (body: Body<'startSingleSignOn'>) =>
      call<'startSingleSignOn'>('POST', '/admin/single-sign-on/start', body),
    finishSingleSignOn: (body: Body<'finishSingleSignOn'>) =>
      call<'finishSingleSignOn'>('POST', '/admin/single-sign-on/finish', body),
    joinWorkspace: (body: Body<'joinWorkspace'>) => call<'joinWorkspace'>('POST', '/admin/invitations/join', body),
  };
}

interface SearchFilters {
  query: string;
  /** Empty for all bots. */
  botIds: readonly string[];
  pageSize?: number;
  nextToken?: string | undefined;
}

type Value = string | number | boolean;

/** Returns a query string without undefined values and empty lists. */
function query(values: Record<string, Value | readonly Value[] | undefined>): string {
  const given = Object.entries(values).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return [];
    return isList(value) ? value.map((each, i) => [`${name}[${i}]`, String(each)]) : [[name, String(value)]];
  });
  return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
}

const isList = (value: Value | readonly Value[]): value is readonly Value[] => Array.isArray(value);

/** Repeats a bounded call until nothing remains. */
export async function untilDone(
  once: (next: string | undefined) => Promise<{ count: number; next?: string | undefined }>,
): Promise<number> {
  let total = 0;
  let next: string | undefined;
  do {
    const answer = await once(next);
    total += answer.count;
    next = answer.next;
  } while (next !== undefined);
  return total;
}
