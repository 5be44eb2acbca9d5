import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useAdminClient } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { Confirm, Copyable, When } from '../../parts/Small.tsx';
import { Loaded } from '../../parts/States.tsx';

/** Keys with which the bot's code calls the API. */
export function Keys({ botId }: { botId: string }) {
  const client = useAdminClient();
  const changes = [['keys', botId]];
  const query = useQuery({
    queryKey: ['keys', botId],
    queryFn: async () => (await client.listBotApiKeys({ botId })).baks,
  });
  const [note, setNote] = useState('');
  const create = useAction(() => client.createBotApiKey({ botId, note }), { changes, onDone: () => setNote('') });
  const remove = useAction((id: string) => client.deleteBotApiKey({ id }), { done: 'The key is deleted.', changes });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined);
  };
  return (
    <Stack gap="xs">
      <Loaded query={query}>
        {keys => (
          <>
            {keys.length === 0 && <Text size="sm">There are none.</Text>}
            {keys.map(key => (
              <Group key={key.id} justify="space-between">
                <Text size="sm">
                  {key.note || key.id}, <When at={key.createdAt} />
                </Text>
                <Confirm label="Delete" title="Delete this key?" onConfirm={() => remove.mutate(key.id)}>
                  Whoever calls with it is refused from now on.
                </Confirm>
              </Group>
            ))}
          </>
        )}
      </Loaded>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput
            flex={1}
            label="What the key is for"
            value={note}
            onChange={event => setNote(event.currentTarget.value)}
            required
          />
          <Button type="submit" variant="default" loading={create.isPending}>
            Make a key
          </Button>
        </Group>
      </form>
      {create.data && (
        <>
          <Text size="sm">The new key. It is not shown again:</Text>
          <Copyable value={create.data.value} label="Copy the key" />
        </>
      )}
    </Stack>
  );
}
