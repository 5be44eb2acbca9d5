/** Mentions of the member in notes. */
import { useEffect } from 'react';
import { useParley, useWorkspaceId } from '../../api/clients.ts';
import type { Mention, Note } from '../../api/contract.ts';
import { useWorkspaceLive } from '../../api/live/useLive.ts';
import { useAction } from '../../api/useAction.ts';
import { type List, useList } from '../../api/useList.ts';
import { useCaller } from './useTeam.ts';

/** Notes of one call. */
const BATCH = 50;

export function useMentions(): List<Mention> {
  const workspaceId = useWorkspaceId();
  const parley = useParley();
  return useList<Mention>(
    ['inbox', workspaceId, 'mentions'],
    async nextToken => {
      const answer = await parley.listMentions({ nextToken });
      return { items: answer.mentions, nextToken: answer.meta.nextToken };
    },
    { live: useWorkspaceLive() },
  );
}

/** Notes whose mention was marked as read on this page. A repeated call would have no effect. */
const marked = new Set<string>();

/** Marks mentions in the notes of an open conversation as read. */
export function useReadMentions(notes: readonly Note[]): void {
  const workspaceId = useWorkspaceId();
  const parley = useParley();
  const { ownId } = useCaller();
  const { mutate } = useAction((noteIds: string[]) => parley.markMentionsRead(noteIds), {
    changes: [
      ['inbox', workspaceId, 'mentions'],
      ['inbox', workspaceId, 'counts'],
    ],
  });
  useEffect(() => {
    const read = () => {
      if (document.visibilityState !== 'visible') return;
      const unread = notes
        .filter(({ id, mentions }) => mentions?.some(member => member.id === ownId) && !marked.has(id))
        .map(({ id }) => id)
        .slice(0, BATCH);
      if (unread.length === 0) return;
      for (const id of unread) marked.add(id);
      mutate(unread);
    };
    read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [notes, ownId, mutate]);
}
