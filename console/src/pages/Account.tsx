import { Badge, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParley } from '../api/clients.ts';
import type { Output } from '../api/contract.ts';
import { signOut } from '../api/signIn.ts';
import { useAction } from '../api/useAction.ts';
import { useMember } from '../api/useMember.ts';
import { IconLogout } from '../icons/tabler.ts';
import { alerts } from '../messages/en/alerts.ts';
import { session } from '../messages/en/session.ts';
import { translator } from '../messages/translate.ts';
import { Page } from '../parts/Page.tsx';
import { Section } from '../parts/Section.tsx';
import { ACTIONS, Confirm, RowActions, Rows, When } from '../parts/Small.tsx';
import { Empty, Loaded } from '../parts/States.tsx';
import { AlertSettings } from './account/AlertSettings.tsx';
import { Profile } from './account/Profile.tsx';
import { Tokens } from './account/Tokens.tsx';
import { useCaller } from './inbox/useTeam.ts';

const t = translator('session', session);
const alertTexts = translator('alerts', alerts);
const KEY = ['sessions'];

export function Account() {
  const { data: member } = useMember();
  const { mayHandle } = useCaller();
  return (
    <Page title={t('account')} about={member?.email}>
      <Section title={t('profile')} about={t('profileAbout')}>
        <Profile />
      </Section>
      {mayHandle && (
        <Section title={alertTexts('title')} about={alertTexts('about')}>
          <AlertSettings />
        </Section>
      )}
      <Section title={t('tokens')} about={t('tokensAbout')}>
        <Tokens />
      </Section>
      <Section title={t('sessions')} about={t('sessionsAbout')}>
        <Sessions />
      </Section>
    </Page>
  );
}

function Sessions() {
  const parley = useParley();
  const query = useQuery({
    queryKey: KEY,
    queryFn: async () =>
      (await parley.listSessions()).sessions.toSorted((a, b) => (a.lastUsedAt < b.lastUsedAt ? 1 : -1)),
  });
  const end = useAction((id: string) => parley.deleteSession(id), { done: t('sessionEnded'), changes: [KEY] });
  return (
    <Loaded query={query}>
      {sessions =>
        sessions.length === 0 ? (
          <Empty>{t('noSessions')}</Empty>
        ) : (
          <Rows label={t('browsers')} heads={[t('browser'), t('signedInAt'), t('lastUse'), t('expires'), ACTIONS]}>
            {sessions.map(each => (
              <Table.Tr key={each.id}>
                <Table.Td>
                  <Group gap={6}>
                    <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
                      {each.note || each.id}
                    </Text>
                    {each.isCurrent && (
                      <Badge size="sm" variant="light" color="gray">
                        {t('thisBrowser')}
                      </Badge>
                    )}
                  </Group>
                  <Text size="xs" c="dimmed">
                    {t(originOf(each))}
                    {each.workspaceId && ` · ${t('limitedToWorkspace')}`}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <When at={each.createdAt} />
                </Table.Td>
                <Table.Td>
                  <When at={each.lastUsedAt} />
                </Table.Td>
                <Table.Td>
                  <When at={each.expiresAt} />
                </Table.Td>
                <RowActions>
                  <Confirm
                    label={t('signOut')}
                    Icon={IconLogout}
                    title={t(each.isCurrent ? 'signOutHere' : 'signOutThere')}
                    isBusy={end.isPending}
                    onConfirm={() => (each.isCurrent ? signOut() : end.mutate(each.id))}
                  >
                    {t(each.isCurrent ? 'signOutHereAbout' : 'signOutThereAbout')}
                  </Confirm>
                </RowActions>
              </Table.Tr>
            ))}
          </Rows>
        )
      }
    </Loaded>
  );
}

function originOf({
  createdWith,
  grantedBy,
}: Pick<Output<'listSessions'>['sessions'][number], 'createdWith' | 'grantedBy'>) {
  if (createdWith === 'singleSignOn') return 'withSingleSignOn';
  if (createdWith === 'token') return 'withToken';
  return grantedBy ? 'withMemberLink' : 'withLink';
}
