/** Settings of the workspace: profile, single sign-on and deletion. */
import { Divider } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useAdminClient, useWorkspaceId } from '../../api/clients.ts';
import { useMember } from '../../api/useMember.ts';
import { workspaceSettings } from '../../messages/en/workspaceSettings.ts';
import { translator } from '../../messages/translate.ts';
import { Page } from '../../parts/Page.tsx';
import { Section } from '../../parts/Section.tsx';
import { Loaded } from '../../parts/States.tsx';
import { DeleteWorkspace } from './DeleteWorkspace.tsx';
import { General } from './General.tsx';
import { InboxLabels } from './InboxLabels.tsx';
import { InboxSettings } from './InboxSettings.tsx';
import { SingleSignOn } from './SingleSignOn.tsx';

const t = translator('workspaceSettings', workspaceSettings);

export function WorkspaceSettings() {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  const { data: me } = useMember();
  const isOwner = me?.role === 'owner';
  const isAdministrator = isOwner || me?.role === 'administrator';
  const query = useQuery({
    queryKey: ['workspace', workspaceId],
    queryFn: () => client.getWorkspace({ id: workspaceId }),
  });
  return (
    <Page title={t('settings')} about={me && !isAdministrator ? t('onlyAdministrators') : undefined}>
      <Loaded query={query}>
        {workspace => (
          <>
            <Section title={t('general')}>
              <General key={workspace.id} workspace={workspace} mayChange={isAdministrator} />
            </Section>
            <Section title={t('inbox')} about={t('inboxAbout')}>
              <InboxSettings />
              <Divider my="xs" />
              <InboxLabels />
            </Section>
            {isAdministrator && (
              <Section title={t('singleSignOn')} about={t('singleSignOnAbout')}>
                <SingleSignOn name={workspace.handle ?? workspace.id} mayChange={isOwner} />
              </Section>
            )}
            {isOwner && (
              <Section
                title={t('deleteWorkspace')}
                about={t('deleteAbout')}
                actions={<DeleteWorkspace workspace={workspace} />}
              >
                {null}
              </Section>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}
