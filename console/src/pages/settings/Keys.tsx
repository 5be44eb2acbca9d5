import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useAdminClient } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { IconTrash } from '../../icons/tabler.ts';
import { bots } from '../../messages/en/bots.ts';
import { translator } from '../../messages/translate.ts';
import { Copyable } from '../../parts/Copyable.tsx';
import { Confirm, When } from '../../parts/Small.tsx';
import { Loaded } from '../../parts/States.tsx';

const t = translator('bots', bots);

export function Keys({ botId }: { botId: string }) {
  const client = useAdminClient();
  const changes = [['keys', botId]];
  const query = useQuery({
    queryKey: ['keys', botId],
    queryFn: async () => (await client.listBotApiKeys({ botId })).baks,
  });
  const [note, setNote] = useState('');
  const create = useAction(() => client.createBotApiKey({ botId, note }), { changes, onDone: () => setNote('') });
  const remove = useAction((id: string) => client.deleteBotApiKey({ id }), { done: t('keyDeleted'), changes });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined);
  };
  return (
    <Stack gap="xs">
      <Loaded query={query}>
        {keys => (
          <>
            {keys.length === 0 && (
              <Text size="sm" c="dimmed">
                {t('noKeys')}
              </Text>
            )}
            {keys.map(key => (
              <Group key={key.id} justify="space-between">
                <div>
                  <Text size="sm" fw={500}>
                    {key.note || key.id}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {t.rich('keyCreated', { time: <When at={key.createdAt} /> })}
                  </Text>
                </div>
                <Confirm
                  label={t('delete')}
                  title={t('deleteKey')}
                  Icon={IconTrash}
                  onConfirm={() => remove.mutate(key.id)}
                >
                  {t('deleteKeyAbout')}
                </Confirm>
              </Group>
            ))}
          </>
        )}
      </Loaded>
      <form onSubmit={submit}>
        <Group align="flex-end" gap="xs">
          <TextInput
            flex={1}
            label={t('note')}
            placeholder={t('purpose')}
            value={note}
            onChange={event => setNote(event.currentTarget.value)}
            required
            withAsterisk={false}
          />
          <Button type="submit" variant="default" loading={create.isPending}>
            {t('createKey')}
          </Button>
        </Group>
      </form>
      {create.data && (
        <>
          <Text size="sm">{t('copyNewKey')}</Text>
          <Copyable value={create.data.value} label={t('copyKey')} />
        </>
      )}
    </Stack>
  );
}
