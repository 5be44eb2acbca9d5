/** The bot's configuration, by the schema of its definition. The API stores it without validation. */
import { Button, Group, Stack, Text } from '@mantine/core';
import type { FormEvent } from 'react';
import { useAdminClient } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import type { Bot } from '../../api/useBot.ts';
import { bots } from '../../messages/en/bots.ts';
import { translator } from '../../messages/translate.ts';
import { SchemaFields } from '../../parts/schemaForm/SchemaFields.tsx';
import { useSchemaForm } from '../../parts/schemaForm/useSchemaForm.ts';

const t = translator('bots', bots);

const isEmpty = (value: object) => Object.keys(value).length === 0;

export function Configuration({ bot }: { bot: Bot }) {
  const { data, schema } = bot.configuration;
  const client = useAdminClient();
  const form = useSchemaForm({ schema, value: data, isStored: true, prefix: 'configuration.data' });
  const save = useAction(
    (value: Record<string, unknown>) => client.updateBot({ id: bot.id, configuration: { data: value } }),
    {
      done: t('configurationSaved'),
      changes: [['bot', bot.id]],
      showError: form.show,
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const value = form.read();
    if (value) save.mutate(value);
  };
  if (isEmpty(data) && (isEmpty(schema) || form.fields.length === 0))
    return (
      <Text size="sm" c="dimmed">
        {t('noConfiguration')}
      </Text>
    );
  return (
    <form onSubmit={submit} noValidate aria-label={t('configuration')}>
      <Stack gap="md" maw={640}>
        <SchemaFields form={form} />
        <Group>
          <Button type="submit" variant="default" loading={save.isPending}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
