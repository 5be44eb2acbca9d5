// biome-ignore-all lint/suspicious/noArrayIndexKey: fields have no ids, and keep their order
import { Button, Checkbox, Group, NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '../../icons/tabler.ts';
import { widget } from '../../messages/en/widget.ts';
import { translator } from '../../messages/translate.ts';
import { IconAction } from '../../parts/Copyable.tsx';
import { Section } from '../../parts/Section.tsx';
import type { PartProps } from './ContentSections.tsx';
import { MAX_FIELDS, type WidgetField } from './widgetDraft.ts';

const t = translator('widget', widget);

const KINDS = ['name', 'email', 'phone', 'company', 'text'] as const;

export function BeforeSection({ draft, change }: PartProps) {
  const fields = draft.fields ?? [];
  const set = (index: number, changes: Partial<WidgetField>) =>
    change({ fields: fields.map((each, i) => (i === index ? { ...each, ...changes } : each)) });
  const free = KINDS.find(kind => kind === 'text' || !fields.some(each => each.kind === kind))!;
  return (
    <Section title={t('before')}>
      <div>
        <Text fw={500} size="sm">
          {t('fields')}
        </Text>
        <Text size="xs" c="dimmed">
          {t('fieldsAbout')}
        </Text>
      </div>
      {fields.map((field, i) => (
        <Group key={i} align="flex-end" gap="xs">
          <NativeSelect
            label={t('kind')}
            data={KINDS.map(kind => ({ value: kind, label: t(kind) }))}
            value={field.kind}
            onChange={event => set(i, { kind: event.currentTarget.value as WidgetField['kind'] })}
          />
          <TextInput
            flex={1}
            miw={140}
            label={t('label')}
            placeholder={field.kind === 'text' ? undefined : t('labelPlaceholder')}
            required={field.kind === 'text'}
            maxLength={100}
            value={field.label ?? ''}
            onChange={event => set(i, { label: event.currentTarget.value })}
          />
          {field.kind === 'text' && (
            <TextInput
              w={140}
              label={t('attribute')}
              placeholder={t('attributeExample')}
              required
              pattern="[A-Za-z]\w{0,39}"
              maxLength={40}
              value={field.attribute ?? ''}
              onChange={event => set(i, { attribute: event.currentTarget.value })}
            />
          )}
          <Checkbox
            mb={8}
            label={t('required')}
            checked={field.required === true}
            onChange={event => set(i, { required: event.currentTarget.checked })}
          />
          <IconAction
            label={t('removeField', { count: i + 1 })}
            Icon={IconTrash}
            onClick={() => change({ fields: fields.filter((_, n) => n !== i) })}
          />
        </Group>
      ))}
      {fields.length < MAX_FIELDS && (
        <Group>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => change({ fields: [...fields, { kind: free }] })}
          >
            {t('addField')}
          </Button>
        </Group>
      )}
      <ConsentSettings draft={draft} change={change} />
    </Section>
  );
}

function ConsentSettings({ draft: { consent }, change }: PartProps) {
  const set = (changes: Partial<NonNullable<typeof consent>>) =>
    change({ consent: { text: '', ...consent, ...changes } });
  return (
    <Stack gap="sm">
      <Switch
        label={t('consent')}
        checked={consent !== undefined}
        onChange={event => change({ consent: event.currentTarget.checked ? { text: '' } : undefined })}
      />
      {consent && (
        <>
          <TextInput
            label={t('consentText')}
            required
            maxLength={500}
            value={consent.text}
            onChange={event => set({ text: event.currentTarget.value })}
          />
          <Group grow align="flex-start">
            <TextInput
              label={t('consentUrl')}
              type="url"
              placeholder="https://"
              maxLength={2_000}
              value={consent.url ?? ''}
              onChange={event => set({ url: event.currentTarget.value })}
            />
            <TextInput
              label={t('consentLinkText')}
              maxLength={100}
              value={consent.linkText ?? ''}
              onChange={event => set({ linkText: event.currentTarget.value })}
            />
          </Group>
          <Checkbox
            label={t('consentRequired')}
            description={t('consentRequiredAbout')}
            checked={consent.required === true}
            onChange={event => set({ required: event.currentTarget.checked })}
          />
        </>
      )}
    </Stack>
  );
}
