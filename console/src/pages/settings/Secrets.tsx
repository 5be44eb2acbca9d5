import { Button, Code, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useAdminClient } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import type { Bot } from '../../api/useBot.ts';
import { IconTrash } from '../../icons/tabler.ts';
import { bots } from '../../messages/en/bots.ts';
import { translator } from '../../messages/translate.ts';
import { Confirm } from '../../parts/Small.tsx';

const t = translator('bots', bots);

/** Values that the bot's code reads. The API never returns them. */
export function Secrets({ bot }: { bot: Bot }) {
  const client = useAdminClient();
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const save = useAction((secrets: Record<string, string | null>) => client.updateBot({ id: bot.id, secrets }), {
    done: t('secretsSaved'),
    changes: [['bot', bot.id]],
    onDone: () => {
      setName('');
      setValue('');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ [name]: value });
  };
  return (
    <Stack gap="xs">
      {bot.secrets.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('noSecrets')}
        </Text>
      )}
      {bot.secrets.map(secret => (
        <Group key={secret} justify="space-between">
          <Code bg="transparent" p={0}>
            {secret}
          </Code>
          <Confirm
            label={t('remove')}
            Icon={IconTrash}
            title={t('removeSecret', { name: secret })}
            onConfirm={() => save.mutate({ [secret]: null })}
          >
            {t('removeSecretAbout')}
          </Confirm>
        </Group>
      ))}
      <form onSubmit={submit}>
        <Group align="flex-end" gap="xs">
          <TextInput
            flex={1}
            miw={140}
            label={t('name')}
            value={name}
            onChange={event => setName(event.currentTarget.value)}
            required
            withAsterisk={false}
          />
          <PasswordInput
            flex={1}
            miw={140}
            label={t('value')}
            value={value}
            onChange={event => setValue(event.currentTarget.value)}
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': t('showValue') }}
            required
            withAsterisk={false}
          />
          <Button type="submit" variant="default" loading={save.isPending}>
            {t('set')}
          </Button>
        </Group>
      </form>
    </Stack>
  );
}
