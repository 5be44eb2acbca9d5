/** Operations of the public API that the official client does not have (docs/reference). */
import { configuration } from '../session/configuration.ts';

export interface Parked {
  id: string;
  task: string;
  about?: string;
  error: string;
  parkedAt: string;
  redrivenAt?: string;
  failures: number;
}

export interface ListedState {
  type: 'bot' | 'integration';
  ownerId: string;
  name: string;
  createdAt?: string;
  updatedAt?: string;
  expiresAt?: string;
}

/** A member or the bot, with the name at the time of a change, or a customer who left. */
export interface Actor {
  type: 'bot' | 'member' | 'user';
  id: string;
  name: string;
}

export interface Handoff {
  id: string;
  conversationId: string;
  status: 'waiting' | 'served' | 'closed';
  reason?: string;
  startedAt: string;
  startedBy: Actor;
  member?: { id: string; name: string; userId: string };
  servedAt?: string;
  endedAt?: string;
  endedBy?: Actor;
  updatedAt: string;
  isUnread: boolean;
}

export interface HandoffFilters {
  pageSize?: number;
  status?: Handoff['status'];
  /** Account id of the serving member. */
  accountId?: string;
  isUnread?: boolean;
  conversationId?: string;
}

export interface HandoffCounts {
  waiting: number;
  served: number;
  mine: number;
  unread: number;
}

export interface Note {
  id: string;
  conversationId: string;
  createdAt: string;
  author: Actor;
  text: string;
}

export interface SavedReply {
  id: string;
  name: string;
  text: string;
  createdAt: string;
  updatedAt: string;
}

interface Page {
  meta: { nextToken?: string };
}

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
}: {
  token: string;
  workspaceId: string;
  botId?: string | undefined;
}) {
  const call = async <Answer>(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await fetch(`${configuration().apiUrl}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'x-workspace-id': workspaceId,
        ...(botId ? { 'x-bot-id': botId } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw new CallError(response.status, answer);
    return answer;
  };
  const bot = `/admin/bots/${encodeURIComponent(botId ?? '')}`;
  const from = (nextToken: string | undefined) => query({ nextToken });
  const handoffs = '/chat/handoffs';
  const notes = (conversationId: string) => `/chat/conversations/${encodeURIComponent(conversationId)}/notes`;

  return {
    listParked: (nextToken?: string) => call<Page & { parked: Parked[] }>('GET', `${bot}/parked${from(nextToken)}`),
    redriveParked: (body: { ids?: string[]; next?: string }) =>
      call<{ redriven: number; next?: string }>('POST', `${bot}/parked/redrive`, body),
    replayEvents: (body: { since?: string; next?: string }) =>
      call<{ replayed: number; next?: string }>('POST', `${bot}/events/replay`, body),
    listStates: (nextToken?: string) => call<Page & { states: ListedState[] }>('GET', `/chat/states${from(nextToken)}`),
    /** The official client omits `expiresAt`. */
    createToken: (body: { note: string; expiresAt?: string }) =>
      call<{ pat: { value: string } }>('POST', '/admin/account/pats', body),
    acceptInvitation: (body: { inviteToken: string; displayName?: string }) =>
      call<{ workspaceId: string; token: string }>('POST', '/admin/invitations/accept', body),
    listHandoffs: (filters: HandoffFilters & { nextToken?: string | undefined; version?: string | undefined }) =>
      call<{ handoffs: Handoff[]; meta: { nextToken?: string; version: string; isUnchanged: boolean } }>(
        'GET',
        `${handoffs}${query({ ...filters })}`,
      ),
    countHandoffs: () => call<{ counts: HandoffCounts }>('GET', '/chat/handoff-counts'),
    startHandoff: (body: { conversationId: string; accountId?: string }) =>
      call<{ handoff: Handoff }>('POST', handoffs, body),
    assignHandoff: (id: string, body: { accountId?: string | null; servedBy?: string }) =>
      call<{ handoff: Handoff }>('POST', `${handoffs}/${id}/assign`, body),
    endHandoff: (id: string, body: { servedBy?: string }) =>
      call<{ handoff: Handoff }>('POST', `${handoffs}/${id}/end`, body),
    /** With the same key, a repeated call creates no second message. */
    replyInHandoff: (id: string, text: string, key: string) =>
      call<{ message: { id: string } }>(
        'POST',
        `${handoffs}/${id}/messages`,
        { type: 'text', payload: { text } },
        { 'idempotency-key': key },
      ),
    showTypingInHandoff: (id: string, isTyping: boolean) => call('POST', `${handoffs}/${id}/typing`, { isTyping }),
    markHandoffRead: (id: string, messageId: string) => call('PUT', `${handoffs}/${id}/read`, { messageId }),
    listNotes: (conversationId: string, nextToken?: string) =>
      call<Page & { notes: Note[] }>('GET', `${notes(conversationId)}${query({ nextToken, pageSize: 100 })}`),
    createNote: (conversationId: string, text: string, key: string) =>
      call<{ note: Note }>('POST', notes(conversationId), { text }, { 'idempotency-key': key }),
    deleteNote: (id: string) => call('DELETE', `/chat/notes/${id}`),
    listSavedReplies: (nextToken?: string) =>
      call<Page & { savedReplies: SavedReply[] }>('GET', `/chat/saved-replies${query({ nextToken, pageSize: 100 })}`),
    createSavedReply: (body: { name: string; text: string }) =>
      call<{ savedReply: SavedReply }>('POST', '/chat/saved-replies', body),
    updateSavedReply: (id: string, body: { name: string; text: string }) =>
      call<{ savedReply: SavedReply }>('PUT', `/chat/saved-replies/${id}`, body),
    deleteSavedReply: (id: string) => call('DELETE', `/chat/saved-replies/${id}`),
    retryMessage: (id: string) => call('POST', `/chat/messages/${id}/retry`, {}),
    /** @param alias distinguishes installations of the same integration */
    createOAuthState: (integrationId: string, alias: string) =>
      call<{ state: string; expiresAt: string; redirectUrl: string }>(
        'POST',
        `${bot}/integrations/${encodeURIComponent(integrationId)}/oauth-state${query({ integrationInstanceAlias: alias })}`,
      ),
    joinWorkspace: (body: { inviteToken: string }) =>
      call<{ workspaceId: string }>('POST', '/admin/invitations/join', body),
  };
}

/** Returns a query string without undefined values. */
function query(values: Record<string, string | number | boolean | undefined>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.length > 0 ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : '';
}

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
