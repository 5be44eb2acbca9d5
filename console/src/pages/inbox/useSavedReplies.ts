/** Saved replies, and their insertion by a slash in a text. */
import { useQuery } from '@tanstack/react-query';
import { useParley } from '../../api/clients.ts';
import type { SavedReply } from '../../api/contract.ts';

/** Maximum number of replies to load. */
const MOST = 1_000;
/** Number of replies that the list in the composer shows. */
const MAX_SHOWN = 6;

export function useSavedReplies(botId: string, isEnabled = true) {
  const parley = useParley(botId);
  return useQuery({
    queryKey: ['savedReplies', botId],
    queryFn: async () => {
      const all: SavedReply[] = [];
      let nextToken: string | undefined;
      do {
        const answer = await parley.listSavedReplies(nextToken);
        all.push(...answer.savedReplies);
        nextToken = answer.meta.nextToken;
      } while (nextToken !== undefined && all.length < MOST);
      return all.sort((a, b) => a.name.localeCompare(b.name));
    },
    enabled: isEnabled,
    staleTime: 60_000,
  });
}

/** Finds a slash before the caret that starts a word, and the text after it. */
export function slashBefore(text: string, caret: number): { start: number; query: string } | undefined {
  const match = /(^|\s)\/([^\s/]*)$/.exec(text.slice(0, caret));
  return match ? { start: match.index + match[1]!.length, query: match[2]! } : undefined;
}

/** Replies whose name begins with the query come first. */
export function matching(replies: readonly SavedReply[], query: string): SavedReply[] {
  const wanted = query.toLowerCase();
  const found = replies.filter(({ name, text }) => `${name}\n${text}`.toLowerCase().includes(wanted));
  const rank = ({ name }: SavedReply) => {
    const place = name.toLowerCase().indexOf(wanted);
    return place === -1 ? 2 : Math.min(place, 1);
  };
  return found.sort((a, b) => rank(a) - rank(b)).slice(0, MAX_SHOWN);
}
