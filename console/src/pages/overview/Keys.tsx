import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useAdminClient } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { Copyable } from '../../parts/Copyable.tsx';
import { Confirm, When } from '../../parts/Small.tsx';
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
  const remove = useAction((id: string) => client.deleteBotApiKey({ id }), { done: 'The key was deleted.', changes });
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
                No keys yet.
              </Text>
            )}
            {keys.map(key => (
              <Group key={key.id} justify="space-between">
                <div>
                  <Text size="sm" fw={500}>
                    {key.note || key.id}
                  </Text>
                  <Text size="xs" c="dimmed">
                    Created <When at={key.createdAt} />
                  </Text>
                </div>
                <Confirm
                  label="Delete"
                  title="Delete this key?"
                  Icon={IconTrash}
                  onConfirm={() => remove.mutate(key.id)}
                >
                  Requests with this key are rejected from now on.
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
            label="Note"
            placeholder="Purpose of the key"
            value={note}
            onChange={event => setNote(event.currentTarget.value)}
            required
            withAsterisk={false}
          />
          <Button type="submit" variant="default" loading={create.isPending}>
            Create key
          </Button>
        </Group>
      </form>
      {create.data && (
        <>
          <Text size="sm">Copy the new key now. It is not shown again.</Text>
          <Copyable value={create.data.value} label="Copy the key" />
        </>
      )}
    </Stack>
  );
}
