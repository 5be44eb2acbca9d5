import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session.ts';
import { useAccountClient } from './clients.ts';

/** The most that is shown of what is read whole. */
const MOST = 500;

/** The workspaces of the caller, the first 500. */
export function useWorkspaces() {
  const client = useAccountClient();
  const token = useSession()?.token;
  return useQuery({
    queryKey: ['workspaces', token],
    queryFn: () => client.list.workspaces({}).collect({ limit: MOST }),
  });
}
