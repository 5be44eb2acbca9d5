import { useMember } from '../api/useMember.ts';
import { type Pages, pagesFor } from './pages.ts';

/** Returns the pages of the caller's role: none while it loads. */
export function usePages(): Pages {
  const { data: member, isPending } = useMember();
  return isPending ? { workspace: [], bot: [] } : pagesFor(member?.role);
}

export const useIsAgent = (): boolean => useMember().data?.role === 'agent';
