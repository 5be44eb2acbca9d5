import { Button, Group, Modal, NativeSelect, Stack, Table, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useAdminClient, useWorkspaceId } from '../api/clients.ts';
import { useAction } from '../api/useAction.ts';
import { pageOf, useList } from '../api/useList.ts';
import { Page } from '../parts/Page.tsx';
import { Confirm, Copyable, Rows, When } from '../parts/Small.tsx';
import { LoadedList } from '../parts/States.tsx';

const ROLES = [
  { value: 'viewer', label: 'Viewer: sees bots and conversations' },
  { value: 'billing', label: 'Billing: sees usage only' },
  { value: 'developer', label: 'Developer: makes and changes bots' },
  { value: 'manager', label: 'Manager: runs all bots' },
  { value: 'administrator', label: 'Administrator: manages members too' },
  { value: 'owner', label: 'Owner: everything' },
] as const;
type Role = (typeof ROLES)[number]['value'];

export function Members() {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  const me = useQuery({ queryKey: ['me', workspaceId], queryFn: () => client.getWorkspaceMember({}) });
  const mayManage = me.data?.role === 'administrator' || me.data?.role === 'owner';
  const list = useList(['members', workspaceId], async nextToken => {
    const answer = await client.listWorkspaceMembers(nextToken ? { nextToken } : {});
    return pageOf(answer.members, answer);
  });
  const changes = [['members', workspaceId]];
  const changeRole = useAction((input: { id: string; role: Role }) => client.updateWorkspaceMember(input), {
    done: 'The role is changed.',
    changes,
  });
  const remove = useAction((id: string) => client.deleteWorkspaceMember({ id }), {
    done: 'They are no longer a member.',
    changes,
  });
  return (
    <Page
      title="Members"
      about={me.data ? `You are here as ${me.data.email}, ${me.data.role}.` : 'Who may do what in this workspace.'}
      actions={mayManage && <Invite changes={changes} />}
    >
      <LoadedList list={list} empty="There is nobody.">
        {members => (
          <Rows label="Members" heads={['Who', 'Since', 'Role', 'What to do']}>
            {members.map(member => (
              <Table.Tr key={member.id}>
                <Table.Td>
                  {member.displayName ? `${member.displayName}, ` : ''}
                  {member.email}
                  {!member.userId && (
                    <Text size="xs" c="dimmed">
                      invited, has not joined yet
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <When at={member.createdAt} />
                </Table.Td>
                <Table.Td>
                  {mayManage && member.id !== me.data?.id ? (
                    <NativeSelect
                      aria-label={`Role of ${member.email}`}
                      data={[...ROLES]}
                      value={member.role}
                      onChange={event => changeRole.mutate({ id: member.id, role: event.currentTarget.value as Role })}
                    />
                  ) : (
                    member.role
                  )}
                </Table.Td>
                <Table.Td>
                  {(mayManage || member.id === me.data?.id) && (
                    <Confirm
                      label={member.id === me.data?.id ? 'Leave' : 'Remove'}
                      title={member.id === me.data?.id ? 'Leave this workspace?' : `Remove ${member.email}?`}
                      isBusy={remove.isPending}
                      onConfirm={() => remove.mutate(member.id)}
                    >
                      Their tokens open this workspace no more. They can be invited again.
                    </Confirm>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Rows>
        )}
      </LoadedList>
    </Page>
  );
}

function Invite({ changes }: { changes: string[][] }) {
  const client = useAdminClient();
  const [isOpen, { open, close }] = useDisclosure();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  // The client's type does not know the invitation.
  const invite = useAction(
    async () =>
      (await client.createWorkspaceMember({ email, role })) as unknown as {
        inviteToken: string;
        inviteExpiresAt: string;
      },
    { changes },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate(undefined);
  };
  const closeAndForget = () => {
    close();
    invite.reset();
    setEmail('');
  };
  return (
    <>
      <Button onClick={open}>Invite someone</Button>
      <Modal opened={isOpen} onClose={closeAndForget} title="Invite someone">
        {invite.data ? (
          <Stack>
            <Text size="sm">
              Give them this invitation; no mail is sent, and it is not shown again. They accept it on the page where
              you sign in, until <When at={invite.data.inviteExpiresAt} />.
            </Text>
            <Copyable value={invite.data.inviteToken} label="Copy the invitation" />
          </Stack>
        ) : (
          <form onSubmit={submit}>
            <Stack>
              <TextInput
                label="E-mail address"
                type="email"
                value={email}
                onChange={event => setEmail(event.currentTarget.value)}
                required
                data-autofocus
              />
              <NativeSelect
                label="Role"
                data={[...ROLES]}
                value={role}
                onChange={event => setRole(event.currentTarget.value as Role)}
              />
              <Group justify="flex-end">
                <Button type="submit" loading={invite.isPending}>
                  Make the invitation
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}
