/** Calls the chat API. */
import type { UserFields } from '../userDetails.ts';
import type {
  ChatEvent,
  Conversation,
  Message,
  OpenConversation,
  Participant,
  Said,
  UploadedFile,
  User,
  Visit,
} from './chatContract.ts';
import { SUBPROTOCOL } from './protocol.ts';

/** A failed call. `status` is 0 without a response. */
export class ChatFault extends Error {
  override name = 'ChatFault';
  status: number;
  type: string;
  retryAfterMs: number | undefined;

  constructor(status: number, type: string, message: string, retryAfterMs?: number) {
    super(message);
    this.status = status;
    this.type = type;
    this.retryAfterMs = retryAfterMs;
  }

  /** True if a retry may succeed. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

interface Call {
  method?: 'GET' | 'POST' | 'PUT';
  body?: object;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  patienceMs?: number;
}

/** Returns a random key. `randomUUID` would require HTTPS. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('');

/** Timeout of calls. Streams have none. */
const PATIENCE_MS = 30_000;
/** Other tabs wait for this call, see `withTabLock`. */
const CREATE_USER_PATIENCE_MS = 10_000;

export class ChatApi {
  readonly url: string;
  userKey: string | undefined;

  /** @param url `{chat base}/{webhookId}` */
  constructor(url: string, userKey?: string) {
    this.url = url.replace(/\/+$/, '');
    this.userKey = userKey;
  }

  createUser = () =>
    this.#json<{ user: User; key: string }>('/users', {
      method: 'POST',
      body: {},
      patienceMs: CREATE_USER_PATIENCE_MS,
    });
  /** Updates the given fields. */
  getOrCreateUser = (fields: UserFields = {}) =>
    this.#json<{ user: User }>('/users/get-or-create', { method: 'POST', body: fields });
  /** Returns or creates the conversation that all devices of the user continue. @param replaces creates a new one */
  enterCurrentConversation = (replaces?: string) =>
    this.#json<{ conversation: Conversation }>('/users/me/conversation', {
      method: 'POST',
      body: replaces === undefined ? {} : { replaces },
    });
  getConversation = (conversationId: string) =>
    this.#json<{ conversation: OpenConversation }>(`/conversations/${encodeURIComponent(conversationId)}`);
  listParticipants = (conversationId: string) =>
    this.#json<{ participants: Participant[] }>(`/conversations/${encodeURIComponent(conversationId)}/participants`);
  /** Newest first. */
  listMessages = (conversationId: string, nextToken?: string) =>
    this.#json<{ messages: Message[]; meta: { nextToken?: string } }>(
      `/conversations/${encodeURIComponent(conversationId)}/messages${nextToken ? `?nextToken=${encodeURIComponent(nextToken)}` : ''}`,
    );
  getMessage = (id: string) => this.#json<{ message: Message }>(`/messages/${encodeURIComponent(id)}`);
  getEvent = (id: string) => this.#json<{ event: ChatEvent }>(`/events/${encodeURIComponent(id)}`);
  /** @param key the idempotency key */
  createMessage = (conversationId: string, payload: Said, key: string) =>
    this.#json<{ message: Message }>('/messages', {
      method: 'POST',
      body: { conversationId, payload },
      headers: { 'idempotency-key': key },
    });
  /** @param key the idempotency key */
  createEvent = (conversationId: string, payload: object, key?: string) =>
    this.#json<object>('/events', {
      method: 'POST',
      body: { conversationId, payload },
      ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    });
  showTyping = (conversationId: string, isTyping: boolean) =>
    this.#json<object>(`/conversations/${encodeURIComponent(conversationId)}/typing`, {
      method: 'POST',
      body: { isTyping },
    });
  /** Shows members the page of the visitor. */
  setVisit = (conversationId: string, visit: Visit) =>
    this.#json<object>(`/conversations/${encodeURIComponent(conversationId)}/visit`, { method: 'PUT', body: visit });
  /** Newest activity first. */
  listConversations = () => this.#json<{ conversations: Conversation[] }>('/conversations');
  rateHandoff = (conversationId: string, value: number, comment: string) =>
    this.#json<object>(`/conversations/${encodeURIComponent(conversationId)}/rating`, {
      method: 'PUT',
      body: { value, ...(comment === '' ? {} : { comment }) },
    });
  markRead = (conversationId: string, messageId: string) =>
    this.#json<object>(`/conversations/${encodeURIComponent(conversationId)}/read`, {
      method: 'PUT',
      body: { messageId },
    });

  /** Announces and uploads a file. Its URL is public until the file expires. */
  async upload(file: File): Promise<UploadedFile> {
    const { file: announced } = await this.#json<{ file: UploadedFile }>('/files', {
      method: 'POST',
      body: {
        // Downloads are named after the last segment.
        key: `${newKey().slice(0, 8)}/${file.name}`,
        size: file.size,
        accessPolicies: ['public_content'],
      },
    });
    const response = await fetch(announced.uploadUrl, {
      method: 'PUT',
      headers: { 'content-type': announced.contentType, 'x-amz-tagging': 'public=true' },
      body: file,
      credentials: 'omit',
    }).catch(noAnswer);
    if (!response.ok) throw new ChatFault(response.status, 'UploadFailed', 'The file could not be uploaded.');
    return announced;
  }

  /** Opens the stream of a conversation's signals. */
  listen = (conversationId: string, lastEventId: string | undefined, signal: AbortSignal): Promise<Response> =>
    this.#fetch(`/conversations/${encodeURIComponent(conversationId)}/listen`, {
      headers: { accept: 'text/event-stream', ...(lastEventId ? { 'last-event-id': lastEventId } : {}) },
      signal,
    });

  /** Begins the handshake of a WebSocket for a conversation's signals. @throws Error if the page forbids it */
  openSocket = (conversationId: string, after: string | undefined): WebSocket =>
    new WebSocket(
      `${this.url.replace(/^http/, 'ws')}/conversations/${encodeURIComponent(conversationId)}/listen${after ? `?after=${after}` : ''}`,
      this.userKey === undefined ? SUBPROTOCOL : [SUBPROTOCOL, this.userKey],
    );

  async #json<Answer>(path: string, { patienceMs = PATIENCE_MS, ...call }: Call = {}): Promise<Answer> {
    const response = await this.#fetch(path, { ...call, signal: AbortSignal.timeout(patienceMs) });
    return (await response.json().catch(noAnswer)) as Answer;
  }

  async #fetch(path: string, { method = 'GET', body, headers, signal }: Call): Promise<Response> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(this.userKey === undefined ? {} : { 'x-user-key': this.userKey }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
      // The header contains the key. The page's cookies are not sent.
      credentials: 'omit',
      cache: 'no-store',
    }).catch(noAnswer);
    if (response.ok) return response;
    throw await faultOf(response);
  }
}

function noAnswer(error: Error): never {
  throw new ChatFault(0, 'NoAnswer', error.message);
}

async function faultOf(response: Response): Promise<ChatFault> {
  const body = (await response.json().catch(() => ({}))) as { type?: unknown; message?: unknown };
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ChatFault(
    response.status,
    String(body.type ?? 'Unknown'),
    String(body.message ?? `The answer was ${response.status}.`),
    Number.isFinite(seconds) ? seconds * 1_000 : undefined,
  );
}
