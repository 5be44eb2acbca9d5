import { Badge, Button, Checkbox, Group, NativeSelect, Stack, Table, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useAdminClient, useParley, useWorkspaceId } from '../../api/clients.ts';
import type { Output } from '../../api/contract.ts';
import { useAction } from '../../api/useAction.ts';
import { IconTrash } from '../../icons/tabler.ts';
import { session } from '../../messages/en/session.ts';
import { translator } from '../../messages/translate.ts';
import { ACTIONS, Confirm, RowActions, Rows, When } from '../../parts/Small.tsx';
import { Loaded } from '../../parts/States.tsx';
import { LinkDialog } from '../members/LinkDialog.tsx';

const t = translator('session', session);

type Token = Output<'listPersonalAccessTokens'>['pats'][number];

const DAY_MS = 24 * 3_600_000;
const LIFETIMES = ['30', '90', '365', 'none'] as const;
const GROUPS = ['admin', 'chat', 'files', 'tables', 'cognitive'];
const SCOPES = GROUPS.flatMap(group => [group, `${group}:read`]);

export function Tokens() {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  const key = ['tokens', workspaceId];
  const query = useQuery({
    queryKey: key,
    // The client's type lacks scopes, expiry and last use.
    queryFn: async () => (await client.listPersonalAccessTokens({})).pats as Token[],
  });
  const revoke = useAction((id: string) => client.deletePersonalAccessToken({ id }), {
    done: t('tokenRevoked'),
    changes: [key, ['sessions']],
  });
  return (
    <Stack>
      <Loaded query={query}>
        {tokens =>
          tokens.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('noTokens')}
            </Text>
          ) : (
            <Rows label={t('tokenList')} heads={[t('note'), t('scopes'), t('lastUse'), t('expires'), ACTIONS]}>
              {tokens.map(token => (
                <Table.Tr key={token.id}>
                  <Table.Td>
                    <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
                      {token.note || token.id}
                    </Text>
                    <Text size="xs" c="dimmed">
                      {t.rich('createdAt', { time: <When at={token.createdAt} /> })}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    <Group gap={4}>
                      {(token.scopes ?? [t('everything')]).map(scope => (
                        <Badge key={scope} size="sm" variant="light" color="gray" tt="none">
                          {scope}
                        </Badge>
                      ))}
                    </Group>
                  </Table.Td>
                  <Table.Td>{token.lastUsedAt ? <When at={token.lastUsedAt} /> : t('never')}</Table.Td>
                  <Table.Td>{token.expiresAt ? <When at={token.expiresAt} /> : t('noExpiry')}</Table.Td>
                  <RowActions>
                    <Confirm
                      label={t('revoke')}
                      Icon={IconTrash}
                      title={t('revokeTitle', { note: token.note || token.id })}
                      isBusy={revoke.isPending}
                      onConfirm={() => revoke.mutate(token.id)}
                    >
                      {t('revokeAbout')}
                    </Confirm>
                  </RowActions>
                </Table.Tr>
              ))}
            </Rows>
          )
        }
      </Loaded>
      <NewToken listKey={key} />
    </Stack>
  );
}

function NewToken({ listKey }: { listKey: string[] }) {
  const parley = useParley();
  const [note, setNote] = useState('');
  const [days, setDays] = useState<string>('90');
  const [scopes, setScopes] = useState<string[]>([]);
  const [isLimited, setLimited] = useState(false);
  const create = useAction(
    () =>
      parley.createPersonalAccessToken({
        note,
        ...(days === 'none' ? {} : { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
        ...(isLimited ? { scopes } : {}),
      }),
    { changes: [listKey], onDone: () => setNote('') },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Group align="flex-end" gap="xs">
          <TextInput
            flex={1}
            miw={180}
            label={t('note')}
            placeholder={t('tokenPurpose')}
            value={note}
            onChange={event => setNote(event.currentTarget.value)}
            required
            withAsterisk={false}
          />
          <NativeSelect
            label={t('expires')}
            data={LIFETIMES.map(value => ({
              value,
              label: value === 'none' ? t('noExpiry') : t('days', { count: Number(value) }),
            }))}
            value={days}
            onChange={event => setDays(event.currentTarget.value)}
          />
          <NativeSelect
            label={t('scopes')}
            data={[
              { value: 'all', label: t('everything') },
              { value: 'some', label: t('chosenScopes') },
            ]}
            value={isLimited ? 'some' : 'all'}
            onChange={event => setLimited(event.currentTarget.value === 'some')}
          />
          <Button
            type="submit"
            variant="default"
            loading={create.isPending}
            disabled={isLimited && scopes.length === 0}
          >
            {t('createToken')}
          </Button>
        </Group>
        {isLimited && (
          <Checkbox.Group label={t('scopes')} value={scopes} onChange={setScopes}>
            <Group gap="md" pt={4}>
              {SCOPES.map(scope => (
                <Checkbox key={scope} value={scope} label={scope} />
              ))}
            </Group>
          </Checkbox.Group>
        )}
      </Stack>
      <LinkDialog title={t('newToken')} link={create.data?.pat.value} label={t('token')} onClose={() => create.reset()}>
        {t('newTokenAbout')}
      </LinkDialog>
    </form>
  );
}
