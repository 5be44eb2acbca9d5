import { Badge, Button, Group, Modal, NativeSelect, Stack, Table, Text, TextInput } from '@mantine/core';
import { IconLogout, IconPlus, IconUserMinus } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useAdminClient, useWorkspaceId } from '../api/clients.ts';
import { useAction } from '../api/useAction.ts';
import { pageOf, useList } from '../api/useList.ts';
import { useMember } from '../api/useMember.ts';
import { Copyable } from '../parts/Copyable.tsx';
import { Monogram } from '../parts/Monogram.tsx';
import { Page } from '../parts/Page.tsx';
import { ACTIONS, Confirm, RowActions, Rows, When } from '../parts/Small.tsx';
import { LoadedList } from '../parts/States.tsx';
import { useDialog } from '../shell/useDialog.ts';

const ROLES = [
  { value: 'viewer', label: 'Viewer: reads bots and conversations' },
  { value: 'billing', label: 'Billing: reads usage only' },
  { value: 'developer', label: 'Developer: creates and changes bots' },
  { value: 'manager', label: 'Manager: operates all bots' },
  { value: 'administrator', label: 'Administrator: also manages members' },
  { value: 'owner', label: 'Owner: full access' },
] as const;
type Role = (typeof ROLES)[number]['value'];

export function Members() {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  const me = useMember();
  const mayManage = me.data?.role === 'administrator' || me.data?.role === 'owner';
  const list = useList(['members', workspaceId], async nextToken => {
    const answer = await client.listWorkspaceMembers(nextToken ? { nextToken } : {});
    return pageOf(answer.members, answer);
  });
  const changes = [['members', workspaceId]];
  const changeRole = useAction((input: { id: string; role: Role }) => client.updateWorkspaceMember(input), {
    done: 'The role was changed.',
    changes,
  });
  const remove = useAction((id: string) => client.deleteWorkspaceMember({ id }), {
    done: 'The member was removed.',
    changes,
  });
  return (
    <Page
      title="Members"
      about={
        me.data ? `You are signed in as ${me.data.email} (${me.data.role}).` : 'People with access to this workspace.'
      }
      actions={mayManage && <Invite changes={changes} />}
    >
      <LoadedList list={list} empty="No members.">
        {members => (
          <Rows label="Members" heads={['Member', 'Role', 'Added', ACTIONS]}>
            {members.map(member => (
              <Table.Tr key={member.id}>
                <Table.Td>
                  <Group gap="sm" wrap="nowrap">
                    <Monogram name={member.displayName || (member.email ?? '')} id={member.id} size={30} />
                    <div>
                      <Group gap={6}>
                        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
                          {member.displayName || member.email}
                        </Text>
                        {member.id === me.data?.id && (
                          <Badge size="sm" variant="light" color="gray">
                            You
                          </Badge>
                        )}
                        {!member.userId && (
                          <Badge size="sm" variant="light" color="yellow">
                            Invited
                          </Badge>
                        )}
                      </Group>
                      {member.displayName && (
                        <Text size="xs" c="dimmed">
                          {member.email}
                        </Text>
                      )}
                    </div>
                  </Group>
                </Table.Td>
                <Table.Td>
                  {mayManage && member.id !== me.data?.id ? (
                    <NativeSelect
                      aria-label={`Role of ${member.email}`}
                      maw={280}
                      data={[...ROLES]}
                      value={member.role}
                      onChange={event => changeRole.mutate({ id: member.id, role: event.currentTarget.value as Role })}
                    />
                  ) : (
                    <span style={{ textTransform: 'capitalize' }}>{member.role}</span>
                  )}
                </Table.Td>
                <Table.Td>
                  <When at={member.createdAt} />
                </Table.Td>
                <RowActions>
                  {(mayManage || member.id === me.data?.id) && (
                    <Confirm
                      label={member.id === me.data?.id ? 'Leave' : 'Remove'}
                      Icon={member.id === me.data?.id ? IconLogout : IconUserMinus}
                      title={member.id === me.data?.id ? 'Leave this workspace?' : `Remove ${member.email}?`}
                      isBusy={remove.isPending}
                      onConfirm={() => remove.mutate(member.id)}
                    >
                      Their tokens lose access to this workspace. They can be invited again.
                    </Confirm>
                  )}
                </RowActions>
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
  const { isOpen, open, close } = useDialog('member');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  // The client's types do not declare the invitation.
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
      <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={open}>
        Invite member
      </Button>
      <Modal opened={isOpen} onClose={closeAndForget} title="Invite member">
        {invite.data ? (
          <Stack>
            <Text size="sm">
              Send this invitation to the new member. Parley sends no mail and does not show it again. It is accepted on
              the sign-in page until <When at={invite.data.inviteExpiresAt} />.
            </Text>
            <Copyable value={invite.data.inviteToken} label="Copy the invitation" />
          </Stack>
        ) : (
          <form onSubmit={submit}>
            <Stack>
              <TextInput
                label="Email"
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
                  Create invitation
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}
