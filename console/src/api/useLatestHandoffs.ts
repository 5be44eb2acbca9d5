import { useMemo } from 'react';
import { useSession } from '../session/session.ts';
import { joinReads } from './joinReads.ts';
import { parley } from './parley.ts';

let current: { name: string; read: ReturnType<typeof joinReads> } | undefined;

/** Returns a function that reads the latest handoffs of conversations. All callers in a tab share its requests. */
export function useLatestHandoffs(): ReturnType<typeof joinReads> {
  const { token = '', workspaceId } = useSession() ?? {};
  return useMemo(() => {
    const name = `${token} ${workspaceId}`;
    if (current?.name !== name) {
      const client = parley({ token, workspaceId });
      const read = async (botId: string, conversationIds: readonly string[]) =>
        (await client.listInboxHandoffs({ botIds: [botId], conversationIds })).handoffs;
      current = { name, read: joinReads(read) };
    }
    return current.read;
  }, [token, workspaceId]);
}
