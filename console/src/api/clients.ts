/** Official clients, authenticated with the session's token. */
import { Client } from '@botpress/client';
import { useMemo } from 'react';
import { configuration } from '../session/configuration.ts';
import { useSession } from '../session/session.ts';
import { reporting } from './callErrors.ts';
import { type Parley, parley } from './parley.ts';

const clients = new Map<string, Client>();

function clientOf(token: string, workspaceId?: string, botId?: string): Client {
  const key = `${token} ${workspaceId} ${botId}`;
  let client = clients.get(key);
  if (!client) {
    const { apiUrl } = configuration();
    client = reporting(
      // Queries are retried by `queries.ts`. Retries of the client would multiply them, without a pause.
      new Client({
        apiUrl,
        token,
        retry: { retries: 0 },
        ...(workspaceId ? { workspaceId } : {}),
        ...(botId ? { botId } : {}),
      }),
    );
    clients.set(key, client);
  }
  return client;
}

/** For calls without a workspace. */
export function useAccountClient(): Client {
  return clientOf(useSession()?.token ?? '');
}

export function useWorkspaceId(): string {
  return useSession()?.workspaceId ?? '';
}

export function useAdminClient(): Client {
  const session = useSession();
  return clientOf(session?.token ?? '', session?.workspaceId);
}

export function useBotClient(botId: string): Client {
  const session = useSession();
  return clientOf(session?.token ?? '', session?.workspaceId, botId);
}

/** Returns a client for a bot that is selected after the page is rendered. */
export function useClientOfBot(): (botId: string) => Client {
  const session = useSession();
  return botId => clientOf(session?.token ?? '', session?.workspaceId, botId);
}

export function useParley(botId?: string): Parley {
  const { token = '', workspaceId } = useSession() ?? {};
  return useMemo(() => parley({ token, workspaceId, botId }), [token, workspaceId, botId]);
}
