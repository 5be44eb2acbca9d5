/** The configuration of an installation, generated from the schema of its type. */
import { NativeSelect, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAdminClient } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import type { Bot } from '../../api/useBot.ts';
import { integrations } from '../../messages/en/integrations.ts';
import { translator } from '../../messages/translate.ts';
import { SchemaForm } from '../../parts/schemaForm/SchemaForm.tsx';
import { useSchemaForm } from '../../parts/schemaForm/useSchemaForm.ts';
import { type ConfigurationType, configurationTypesOf } from './configurations.ts';
import type { Definition } from './hubOffers.ts';

const t = translator('integrations', integrations);

interface ConfigurationFormProps {
  bot: Bot;
  definition: Definition;
  alias: string;
  isEnabled: boolean;
  /** The stored configuration. Undefined for a new installation. */
  stored?: { type: string | null; value: Record<string, unknown>; isIncomplete: boolean } | undefined;
  submitLabel: string;
  /** True while another field of the form is invalid. */
  isBlocked?: boolean;
  done: string;
  onDone?: () => void;
  /** Fields above the configuration, such as the version. */
  children?: ReactNode;
}

export function ConfigurationForm(props: ConfigurationFormProps) {
  const { definition, stored, children } = props;
  const types = configurationTypesOf(definition);
  const [chosen, setChosen] = useState(stored?.type ?? null);
  const [saves, setSaves] = useState(0);
  const type = types.find(each => each.type === chosen) ?? types[0]!;
  return (
    <Stack gap="md">
      {children}
      {types.length > 1 && (
        <NativeSelect
          label={t('configurationType')}
          description={type.description}
          data={types.map(each => ({ value: each.type ?? '', label: each.title }))}
          value={type.type ?? ''}
          onChange={event => setChosen(event.currentTarget.value || null)}
        />
      )}
      {types.length === 1 && type.description && (
        <Text size="sm" c="dimmed">
          {type.description}
        </Text>
      )}
      <OfType
        // Resets the form when the stored configuration changes, for example after a save.
        key={`${definition.id} ${type.type} ${saves} ${JSON.stringify(stored)}`}
        {...props}
        type={type}
        onDone={() => {
          setSaves(saves + 1);
          props.onDone?.();
        }}
      />
    </Stack>
  );
}

function OfType(props: ConfigurationFormProps & { type: ConfigurationType; onDone: () => void }) {
  const { bot, definition, alias, isEnabled, type, stored, submitLabel, isBlocked, done, onDone } = props;
  const client = useAdminClient();
  // Another type does not inherit secrets. An empty configuration that lacks fields starts with the defaults.
  const isEmpty = stored?.isIncomplete && Object.keys(stored.value).length === 0;
  const isStored = stored !== undefined && stored.type === type.type && !isEmpty;
  const form = useSchemaForm({
    schema: type.schema,
    value: isStored ? stored.value : {},
    isStored,
    prefix: `integrations.${alias}.configuration`,
  });
  const save = useAction(
    (configuration: Record<string, unknown>) =>
      client.updateBot({
        id: bot.id,
        integrations: {
          [alias]: { integrationId: definition.id, enabled: isEnabled, configurationType: type.type, configuration },
        },
      }),
    { done, changes: [['bot', bot.id]], showError: form.show, onDone },
  );
  return (
    <SchemaForm
      form={form}
      label={t('configuration')}
      submitLabel={submitLabel}
      isBusy={save.isPending}
      onSubmit={value => isBlocked || save.mutate(value)}
    />
  );
}
