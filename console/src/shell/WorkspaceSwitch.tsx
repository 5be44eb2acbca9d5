import { NativeSelect } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useWorkspaceId } from '../api/clients.ts';
import { useWorkspaces } from '../api/useWorkspaces.ts';
import { chooseWorkspace } from '../session/session.ts';

export function WorkspaceSwitch() {
  const workspaceId = useWorkspaceId();
  const { data: workspaces = [] } = useWorkspaces();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const choose = (id: string) => {
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'workspaces' });
    chooseWorkspace(id);
    void navigate({ to: '/' });
  };
  return (
    <NativeSelect
      aria-label="Workspace"
      w={{ base: 130, sm: 200 }}
      value={workspaceId}
      onChange={event => choose(event.currentTarget.value)}
      data={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
