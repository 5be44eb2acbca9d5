/** Edits the bot's configuration by the schema in its definition. The API stores it without validation. */
import { Box, Text } from '@mantine/core';
import { useState } from 'react';
import { useAdminClient } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import type { Bot } from '../../api/useBot.ts';
import { bots } from '../../messages/en/bots.ts';
import { translator } from '../../messages/translate.ts';
import { SchemaForm } from '../../parts/schemaForm/SchemaForm.tsx';
import { useSchemaForm } from '../../parts/schemaForm/useSchemaForm.ts';

const t = translator('bots', bots);

const isEmpty = (value: object) => Object.keys(value).length === 0;

export function Configuration({ bot }: { bot: Bot }) {
  const [saves, setSaves] = useState(0);
  const { data, schema } = bot.configuration;
  // Resets the form when the stored configuration changes, for example after a save. Other changes of the bot keep the
  // entries.
  const key = `${saves} ${JSON.stringify([data, schema])}`;
  return <OfSchema key={key} bot={bot} onSaved={() => setSaves(saves + 1)} />;
}

function OfSchema({ bot, onSaved }: { bot: Bot; onSaved: () => void }) {
  const { data, schema } = bot.configuration;
  const client = useAdminClient();
  const form = useSchemaForm({ schema, value: data, isStored: true, prefix: 'configuration.data' });
  const save = useAction(
    (value: Record<string, unknown>) => client.updateBot({ id: bot.id, configuration: { data: value } }),
    { done: t('configurationSaved'), changes: [['bot', bot.id]], showError: form.show, onDone: onSaved },
  );
  if (isEmpty(data) && (isEmpty(schema) || form.fields.length === 0))
    return (
      <Text size="sm" c="dimmed">
        {t('noConfiguration')}
      </Text>
    );
  return (
    <Box maw={640}>
      <SchemaForm
        form={form}
        label={t('configuration')}
        submitLabel={t('save')}
        isBusy={save.isPending}
        onSubmit={save.mutate}
      />
    </Box>
  );
}
