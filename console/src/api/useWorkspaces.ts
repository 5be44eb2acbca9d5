import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session.ts';
import { useAccountClient } from './clients.ts';

const MAX_WORKSPACES = 500;

export function useWorkspaces() {
  const client = useAccountClient();
  const token = useSession()?.token;
  return useQuery({
    queryKey: ['workspaces', token],
    queryFn: () => client.list.workspaces({}).collect({ limit: MAX_WORKSPACES }),
  });
}
