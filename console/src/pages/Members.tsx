import { Badge, Button, Group, Modal, NativeSelect, Stack, Table, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useAdminClient, useWorkspaceId } from '../api/clients.ts';
import { useAction } from '../api/useAction.ts';
import { pageOf, useList } from '../api/useList.ts';
import { type Role, useMember } from '../api/useMember.ts';
import { IconLogout, IconPlus, IconUserMinus } from '../icons/tabler.ts';
import { shell } from '../messages/en/shell.ts';
import { workspace } from '../messages/en/workspace.ts';
import { translator } from '../messages/translate.ts';
import { useDialog } from '../navigation/useDialog.ts';
import { Copyable } from '../parts/Copyable.tsx';
import { Monogram } from '../parts/Monogram.tsx';
import { Page } from '../parts/Page.tsx';
import { ACTIONS, Confirm, RowActions, Rows, When } from '../parts/Small.tsx';
import { LoadedList } from '../parts/States.tsx';

const t = translator('workspace', workspace);
const roles = translator('shell', shell);

const ROLES = ['viewer', 'billing', 'agent', 'developer', 'manager', 'administrator', 'owner'] as const;

/** Roles in the client's types, which omit `agent`. */
type KnownRole = Exclude<Role, 'agent'>;

const roleOptions = () => ROLES.map(value => ({ value, label: t(`about_${value}`) }));

const roleName = (role: Role): string => roles(`role_${role}`);

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
  const changeRole = useAction(
    (input: { id: string; role: Role }) => client.updateWorkspaceMember({ ...input, role: input.role as KnownRole }),
    {
      done: t('roleChanged'),
      changes,
    },
  );
  const remove = useAction((id: string) => client.deleteWorkspaceMember({ id }), {
    done: t('removed'),
    changes,
  });
  return (
    <Page
      title={t('members')}
      about={
        me.data ? t('signedInAs', { email: me.data.email ?? '', role: roleName(me.data.role) }) : t('membersAbout')
      }
      actions={mayManage && <Invite changes={changes} />}
    >
      <LoadedList list={list} empty={t('noMembers')}>
        {members => (
          <Rows label={t('members')} heads={[t('member'), t('role'), t('added'), ACTIONS]}>
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
                            {t('you')}
                          </Badge>
                        )}
                        {!member.userId && (
                          <Badge size="sm" variant="light" color="yellow">
                            {t('invited')}
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
                      aria-label={t('roleOf', { email: member.email ?? '' })}
                      maw={280}
                      data={roleOptions()}
                      value={member.role}
                      onChange={event => changeRole.mutate({ id: member.id, role: event.currentTarget.value as Role })}
                    />
                  ) : (
                    roleName(member.role)
                  )}
                </Table.Td>
                <Table.Td>
                  <When at={member.createdAt} />
                </Table.Td>
                <RowActions>
                  {(mayManage || member.id === me.data?.id) && (
                    <Confirm
                      label={t(member.id === me.data?.id ? 'leave' : 'remove')}
                      Icon={member.id === me.data?.id ? IconLogout : IconUserMinus}
                      title={
                        member.id === me.data?.id ? t('leaveTitle') : t('removeTitle', { email: member.email ?? '' })
                      }
                      isBusy={remove.isPending}
                      onConfirm={() => remove.mutate(member.id)}
                    >
                      {t('removeAbout')}
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
  // The client's type of the response omits the invitation.
  const invite = useAction(
    async () =>
      (await client.createWorkspaceMember({ email, role: role as KnownRole })) as unknown as {
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
        {t('invite')}
      </Button>
      <Modal opened={isOpen} onClose={closeAndForget} title={t('invite')}>
        {invite.data ? (
          <Stack>
            <Text size="sm">{t.rich('inviteAbout', { time: <When at={invite.data.inviteExpiresAt} /> })}</Text>
            <Copyable value={invite.data.inviteToken} label={t('copyInvitation')} />
          </Stack>
        ) : (
          <form onSubmit={submit}>
            <Stack>
              <TextInput
                label={t('email')}
                type="email"
                value={email}
                onChange={event => setEmail(event.currentTarget.value)}
                required
                data-autofocus
              />
              <NativeSelect
                label={t('role')}
                data={roleOptions()}
                value={role}
                onChange={event => setRole(event.currentTarget.value as Role)}
              />
              <Group justify="flex-end">
                <Button type="submit" loading={invite.isPending}>
                  {t('createInvitation')}
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}
