import { ActionIcon, Badge, Group, Menu, NativeSelect, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useAdminClient, useParley } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import type { Role } from '../../api/useMember.ts';
import { IconChevronDown, IconLogout, IconUser, IconUserMinus } from '../../icons/tabler.ts';
import { workspace } from '../../messages/en/workspace.ts';
import { translator } from '../../messages/translate.ts';
import { Monogram } from '../../parts/Monogram.tsx';
import { RowActions, When } from '../../parts/Small.tsx';
import { invitationLink, signInLink } from '../../session/invitation.ts';
import { BotsOfAgent } from './BotsOfAgent.tsx';
import { Decision, OpenConversations, RoleChange } from './Decision.tsx';
import type { KnownRole } from './Invite.tsx';
import { LinkDialog } from './LinkDialog.tsx';
import { mayAnswer, mayLink, roleName, roleOptions } from './roles.ts';

const t = translator('workspace', workspace);

export interface MemberOfList {
  id: string;
  userId?: string | undefined;
  email?: string | undefined;
  displayName?: string | undefined;
  role: Role;
  botIds?: string[] | undefined;
  createdAt: string;
  inviteExpiresAt?: string | undefined;
}

interface MemberRowProps {
  member: MemberOfList;
  me: { id: string; role: Role } | undefined;
  changes: string[][];
}

export function MemberRow({ member, me, changes }: MemberRowProps) {
  const client = useAdminClient();
  const [role, setRole] = useState<Role>();
  const mayManage = me?.role === 'administrator' || me?.role === 'owner';
  const isMe = member.id === me?.id;
  const name = member.displayName || (member.email ?? '');
  const changeRole = useAction(
    (next: Role) => client.updateWorkspaceMember({ id: member.id, role: next as KnownRole }),
    { done: t('roleChanged'), changes },
  );
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="sm" wrap="nowrap">
          <Monogram name={name} id={member.id} size={30} />
          <div>
            <Group gap={6}>
              <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Text>
              {isMe && (
                <Badge size="sm" variant="light" color="gray">
                  {t('you')}
                </Badge>
              )}
              {!member.userId && (
                <Badge size="sm" variant="light" color={hasExpired(member) ? 'red' : 'yellow'}>
                  {t(hasExpired(member) ? 'invitationExpired' : 'invited')}
                </Badge>
              )}
            </Group>
            {member.displayName && (
              <Text size="xs" c="dimmed">
                {member.email}
              </Text>
            )}
            {!member.userId && member.inviteExpiresAt && (
              <Text size="xs" c="dimmed">
                {t.rich(hasExpired(member) ? 'expiredAt' : 'expiresAt', { time: <When at={member.inviteExpiresAt} /> })}
              </Text>
            )}
          </div>
        </Group>
      </Table.Td>
      <Table.Td>
        {mayManage && !isMe ? (
          <NativeSelect
            aria-label={t('roleOf', { email: member.email ?? '' })}
            maw={360}
            data={roleOptions()}
            value={role ?? member.role}
            onChange={event => setRole(event.currentTarget.value as Role)}
          />
        ) : (
          roleName(member.role)
        )}
        {member.role === 'agent' && <BotsOfAgent member={member} name={name} mayManage={mayManage} changes={changes} />}
        {role !== undefined && role !== member.role && (
          <RoleChange
            name={name}
            accountId={member.userId}
            before={member.role}
            after={role}
            onConfirm={() => changeRole.mutate(role)}
            onClose={() => setRole(undefined)}
          />
        )}
      </Table.Td>
      <Table.Td>
        <When at={member.createdAt} />
      </Table.Td>
      <RowActions>
        <MemberMenu member={member} name={name} me={me} changes={changes} />
      </RowActions>
    </Table.Tr>
  );
}

const hasExpired = ({ inviteExpiresAt }: MemberOfList) =>
  inviteExpiresAt !== undefined && Date.parse(inviteExpiresAt) <= Date.now();

function MemberMenu({ member, name, me, changes }: MemberRowProps & { name: string }) {
  const client = useAdminClient();
  const parley = useParley();
  const [isRemoving, setRemoving] = useState(false);
  const isMe = member.id === me?.id;
  const isInvited = !member.userId;
  const mayManage = me?.role === 'administrator' || me?.role === 'owner';
  const remove = useAction(() => client.deleteWorkspaceMember({ id: member.id }), {
    done: t(isInvited ? 'revoked' : 'removed'),
    changes,
  });
  const renew = useAction(() => parley.renewInvitation(member.id), { changes });
  const link = useAction(() => parley.createMemberSignInLink(member.id), { changes: [] });
  const mayRemove = mayManage || isMe;
  const maySignIn = !isInvited && !isMe && mayLink(me?.role, member.role);
  if (!mayRemove && !maySignIn) return null;
  const removeLabel = t(isMe ? 'leave' : isInvited ? 'revoke' : 'remove');
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('actionsFor', { name })}
            loading={remove.isPending || renew.isPending || link.isPending}
          >
            <IconChevronDown size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayManage && isInvited && (
            <Menu.Item leftSection={<IconUser size={16} />} onClick={() => renew.mutate(undefined)}>
              {t('newInvitation')}
            </Menu.Item>
          )}
          {maySignIn && (
            <Menu.Item leftSection={<IconUser size={16} />} onClick={() => link.mutate(undefined)}>
              {t('createSignInLink')}
            </Menu.Item>
          )}
          {mayRemove && (
            <Menu.Item
              leftSection={isMe ? <IconLogout size={16} /> : <IconUserMinus size={16} />}
              onClick={() => setRemoving(true)}
            >
              {removeLabel}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <LinkDialog
        title={t('newInvitation')}
        link={renew.data && invitationLink(renew.data.inviteToken)}
        onClose={() => renew.reset()}
      >
        {t.rich('renewedAbout', { time: <When at={renew.data?.inviteExpiresAt} /> })}
      </LinkDialog>
      <LinkDialog
        title={t('signInLinkFor', { name })}
        link={link.data && signInLink(link.data.token)}
        onClose={() => link.reset()}
      >
        {t.rich('signInLinkAbout', { time: <When at={link.data?.expiresAt} /> })}
      </LinkDialog>
      {isRemoving && (
        <Decision
          title={isMe ? t('leaveTitle') : t(isInvited ? 'revokeTitle' : 'removeTitle', { email: member.email ?? '' })}
          confirm={removeLabel}
          isDanger
          onConfirm={() => remove.mutate(undefined)}
          onClose={() => setRemoving(false)}
        >
          <Text size="sm">{t(isInvited ? 'revokeAbout' : 'removeAbout')}</Text>
          {mayAnswer(member.role) && <OpenConversations accountId={member.userId} />}
        </Decision>
      )}
    </>
  );
}
