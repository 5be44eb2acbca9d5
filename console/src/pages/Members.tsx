import { useAdminClient, useWorkspaceId } from '../api/clients.ts';
import { pageOf, useList } from '../api/useList.ts';
import { useMember } from '../api/useMember.ts';
import { workspace } from '../messages/en/workspace.ts';
import { translator } from '../messages/translate.ts';
import { Page } from '../parts/Page.tsx';
import { ACTIONS, Rows } from '../parts/Small.tsx';
import { LoadedList } from '../parts/States.tsx';
import { Invite } from './members/Invite.tsx';
import { MemberRow } from './members/MemberRow.tsx';
import { roleName } from './members/roles.ts';

const t = translator('workspace', workspace);

export function Members() {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  const { data: me } = useMember();
  const mayManage = me?.role === 'administrator' || me?.role === 'owner';
  const list = useList(['members', workspaceId], async nextToken => {
    const answer = await client.listWorkspaceMembers(nextToken ? { nextToken } : {});
    return pageOf(answer.members, answer);
  });
  const changes = [['members', workspaceId]];
  return (
    <Page
      title={t('members')}
      about={me ? t('signedInAs', { email: me.email ?? '', role: roleName(me.role) }) : t('membersAbout')}
      actions={mayManage && <Invite changes={changes} />}
    >
      <LoadedList list={list} empty={t('noMembers')}>
        {members => (
          <Rows label={t('members')} heads={[t('member'), t('role'), t('added'), ACTIONS]}>
            {members.map(member => (
              <MemberRow key={member.id} member={member} me={me} changes={changes} />
            ))}
          </Rows>
        )}
      </LoadedList>
    </Page>
  );
}
