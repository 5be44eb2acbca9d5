import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useAdminClient } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { Confirm } from '../../parts/Small.tsx';
import type { Bot } from './Overview.tsx';

/** Values that the bot's code reads; they are written and never shown. */
export function Secrets({ bot }: { bot: Bot }) {
  const client = useAdminClient();
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const save = useAction(
    (secrets: Record<string, string | null>) => client.updateBot({ id: bot.id, secrets } as never),
    {
      done: 'The secrets are saved.',
      changes: [['bot', bot.id]],
      onDone: () => {
        setName('');
        setValue('');
      },
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ [name]: value });
  };
  return (
    <Stack gap="xs">
      {bot.secrets.length === 0 && <Text size="sm">There are none. The code of the bot reads what you add here.</Text>}
      {bot.secrets.map(secret => (
        <Group key={secret} justify="space-between">
          <Text size="sm">{secret}</Text>
          <Confirm
            label="Remove"
            title={`Remove the secret ${secret}?`}
            onConfirm={() => save.mutate({ [secret]: null })}
          >
            Code that reads it will miss it from its next call on.
          </Confirm>
        </Group>
      ))}
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput
            flex={1}
            miw={140}
            label="Name"
            value={name}
            onChange={event => setName(event.currentTarget.value)}
            required
          />
          <PasswordInput
            flex={1}
            miw={140}
            label="Value"
            value={value}
            onChange={event => setValue(event.currentTarget.value)}
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': 'Show the value' }}
            required
          />
          <Button type="submit" variant="default" loading={save.isPending}>
            Set
          </Button>
        </Group>
      </form>
    </Stack>
  );
}
