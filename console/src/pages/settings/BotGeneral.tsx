/** Name, description and tags of a bot. */
import { ActionIcon, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useAdminClient } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import type { Bot } from '../../api/useBot.ts';
import { IconPlus, IconX } from '../../icons/tabler.ts';
import { bots } from '../../messages/en/bots.ts';
import { translator } from '../../messages/translate.ts';
import { changedKeys } from '../../parts/changedKeys.ts';
import { useUnsaved } from '../../parts/unsaved.ts';
import { changedTags, type TagRow, tagRows } from './tagRows.ts';

const t = translator('bots', bots);

/** Only what differs from `shown` is sent, so that changes of others remain. */
export function BotGeneral({ bot }: { bot: Bot }) {
  const [{ shown, saves }, setShown] = useState({ shown: bot, saves: 0 });
  return <Fields key={saves} shown={shown} onSaved={saved => setShown({ shown: saved, saves: saves + 1 })} />;
}

function Fields({ shown, onSaved }: { shown: Bot; onSaved: (saved: Bot) => void }) {
  const client = useAdminClient();
  const [name, setName] = useState(shown.name);
  const [description, setDescription] = useState(shown.description ?? '');
  const [tags, setTags] = useState(() => tagRows(shown.tags));
  const changes = changedKeys({ name: shown.name, description: shown.description ?? '' }, { name, description });
  const tagChanges = changedTags(shown.tags, tags) as Record<string, string>;
  useUnsaved(Object.keys({ ...changes, ...tagChanges }).length > 0);
  const save = useAction(() => client.updateBot({ id: shown.id, ...changes, tags: tagChanges }), {
    done: t('generalSaved'),
    changes: [['bot', shown.id], ['bots']],
    onDone: ({ bot }) => onSaved(bot),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={640}>
        <TextInput
          label={t('name')}
          value={name}
          maxLength={200}
          required
          withAsterisk={false}
          onChange={event => setName(event.currentTarget.value)}
        />
        <Textarea
          label={t('description')}
          description={t('descriptionAbout')}
          value={description}
          maxLength={5_000}
          autosize
          minRows={2}
          maxRows={8}
          onChange={event => setDescription(event.currentTarget.value)}
        />
        <TagFields rows={tags} onChange={setTags} />
        <Group>
          <Button type="submit" variant="default" loading={save.isPending}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function TagFields({ rows, onChange }: { rows: readonly TagRow[]; onChange: (rows: TagRow[]) => void }) {
  const change = (id: number, part: Partial<TagRow>) =>
    onChange(rows.map(row => (row.id === id ? { ...row, ...part } : row)));
  return (
    <Stack gap={6} role="group" aria-label={t('tags')}>
      <Text size="sm" fw={500}>
        {t('tags')}
      </Text>
      {rows.map(({ id, name, value }, i) => (
        <Group key={id} gap="xs" wrap="nowrap">
          <TextInput
            flex={1}
            aria-label={t('tagName', { count: i + 1 })}
            placeholder={t('name')}
            value={name}
            maxLength={100}
            onChange={event => change(id, { name: event.currentTarget.value })}
          />
          <TextInput
            flex={2}
            aria-label={t('tagValue', { count: i + 1 })}
            placeholder={t('value')}
            value={value}
            maxLength={500}
            onChange={event => change(id, { value: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('removeTag', { name: name || String(i + 1) })}
            onClick={() => onChange(rows.filter(row => row.id !== id))}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Group>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...rows, { id: nextId(rows), name: '', value: '' }])}
        >
          {t('addTag')}
        </Button>
      </Group>
    </Stack>
  );
}

const nextId = (rows: readonly TagRow[]) => Math.max(-1, ...rows.map(({ id }) => id)) + 1;
