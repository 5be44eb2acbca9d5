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

interface Page {
  meta: { nextToken?: string };
}

export type Parley = ReturnType<typeof parley>;

/** An API error in the form of the official client's. */
class CallError extends Error {
  override readonly name = 'CallError';
  readonly id: string | undefined;
  readonly type: string;
  readonly code: number;

  constructor(code: number, body: { id?: string; type?: string; message?: string }) {
    super(body.message ?? `The API returned ${code}.`);
    this.id = body.id;
    this.type = body.type ?? 'Unknown';
    this.code = code;
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
  const call = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${configuration().apiUrl}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'x-workspace-id': workspaceId,
        ...(botId ? { 'x-bot-id': botId } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw new CallError(response.status, answer);
    return answer;
  };
  const bot = `/admin/bots/${encodeURIComponent(botId ?? '')}`;
  const from = (nextToken: string | undefined) => (nextToken ? `?nextToken=${encodeURIComponent(nextToken)}` : '');

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
    joinWorkspace: (body: { inviteToken: string }) =>
      call<{ workspaceId: string }>('POST', '/admin/invitations/join', body),
  };
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
