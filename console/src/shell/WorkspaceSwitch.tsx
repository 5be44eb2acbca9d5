import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useWorkspaceId } from '../api/clients.ts';
import { useWorkspaces } from '../api/useWorkspaces.ts';
import { IconCheck, IconSelector } from '../icons/tabler.ts';
import { shell } from '../messages/en/shell.ts';
import { translator } from '../messages/translate.ts';
import { Monogram } from '../parts/Monogram.tsx';
import { chooseWorkspace } from '../session/session.ts';
import classes from './Shell.module.css';

const t = translator('shell', shell);

export function useSwitchWorkspace() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return (id: string | undefined) => {
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'workspaces' });
    chooseWorkspace(id);
    void navigate({ to: '/' });
  };
}

export function WorkspaceSwitch() {
  const workspaceId = useWorkspaceId();
  const { data: workspaces = [] } = useWorkspaces();
  const choose = useSwitchWorkspace();
  const name = workspaces.find(({ id }) => id === workspaceId)?.name ?? '';
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <UnstyledButton className={classes.switch}>
          <Monogram name={name} id={workspaceId} size={22} isSquare />
          <VisuallyHidden>{t('workspaceLabel')}</VisuallyHidden>
          <span className={classes.name} dir="auto">
            {name}
          </span>
          <IconSelector size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        <Menu.Label>{t('workspaces')}</Menu.Label>
        {workspaces.map(workspace => (
          <Menu.Item
            key={workspace.id}
            leftSection={<Monogram name={workspace.name} id={workspace.id} size={20} isSquare />}
            rightSection={workspace.id === workspaceId && <IconCheck size={14} aria-label={t('current')} />}
            onClick={() => choose(workspace.id)}
          >
            {workspace.name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => choose(undefined)}>{t('joinWorkspace')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
