/** Fields that a JSON schema describes. */
import {
  Alert,
  Anchor,
  Checkbox,
  Fieldset,
  NativeSelect,
  PasswordInput,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { ClipboardEvent } from 'react';
import { forms } from '../../messages/en/forms.ts';
import { translator } from '../../messages/translate.ts';
import { type ChoiceField, type Field, idOf } from './formFields.ts';
import { isSwitch } from './formValues.ts';
import { hintOf } from './hintOf.ts';
import type { SchemaFormState } from './useSchemaForm.ts';

const t = translator('forms', forms);

export function SchemaFields({ form }: { form: SchemaFormState }) {
  const isEmpty = form.fields.every(({ kind }) => kind === 'hidden');
  return (
    <Stack gap="md">
      {form.otherFaults.map(fault => (
        <Alert key={fault} variant="light" color="red" role="alert">
          {fault}
        </Alert>
      ))}
      {isEmpty && (
        <Text size="sm" c="dimmed">
          {t('nothing')}
        </Text>
      )}
      {form.fields.map(field => (
        <OneField key={idOf(field)} field={field} form={form} />
      ))}
    </Stack>
  );
}

interface FieldProps<Of extends Field = Field> {
  field: Of;
  form: SchemaFormState;
}

function OneField({ field, form }: FieldProps) {
  if (field.isSecret) return <Secret field={field} form={form} />;
  switch (field.kind) {
    case 'hidden':
      return null;
    case 'group':
      return (
        <Fieldset legend={field.title} p="md" m={0} styles={{ legend: { fontWeight: 500 } }}>
          <Stack gap="md">
            {field.description && (
              <Text size="sm" c="dimmed">
                {field.description}
              </Text>
            )}
            {field.fields.map(each => (
              <OneField key={idOf(each)} field={each} form={form} />
            ))}
          </Stack>
        </Fieldset>
      );
    case 'boolean':
      return isSwitch(field) ? <OnOff field={field} form={form} /> : <YesNo field={field} form={form} />;
    case 'choice':
      return <OneChoice field={field as ChoiceField} form={form} />;
    case 'choices':
      return <Choices field={field as ChoiceField} form={form} />;
    case 'lines':
    case 'json':
      return <Lines field={field} form={form} />;
    default:
      return <Line field={field} form={form} />;
  }
}

/** Properties that all inputs share. */
const inputOf = ({ field, form }: FieldProps) => ({
  label: field.title || t('configuration'),
  description: hintOf(field) || undefined,
  placeholder: field.placeholder,
  withAsterisk: field.isRequired,
  'aria-required': field.isRequired,
  error: form.errorOf(field),
  spellCheck: false,
  autoComplete: 'off',
});

const textOf = ({ field, form }: FieldProps): string => {
  const entry = form.entryOf(field);
  return typeof entry === 'string' ? entry : '';
};

function Line({ field, form }: FieldProps) {
  const isNumber = field.kind !== 'text';
  return (
    <TextInput
      {...inputOf({ field, form })}
      {...(isNumber ? { inputMode: 'decimal' as const } : {})}
      value={textOf({ field, form })}
      onChange={event => form.set(field, event.currentTarget.value)}
    />
  );
}

/** A list of texts, or JSON. Blank lines are not part of the list. */
function Lines({ field, form }: FieldProps) {
  const entry = form.entryOf(field);
  const isList = field.kind === 'lines';
  const change = (text: string) => form.set(field, isList && text !== '' ? text.split('\n') : isList ? [] : text);
  return (
    <Textarea
      {...inputOf({ field, form })}
      autosize
      minRows={2}
      maxRows={12}
      {...(isList ? {} : { styles: { input: { fontFamily: 'var(--mantine-font-family-monospace)' } } })}
      value={Array.isArray(entry) ? entry.join('\n') : String(entry ?? '')}
      onChange={event => change(event.currentTarget.value)}
    />
  );
}

function OnOff({ field, form }: FieldProps) {
  const { label, description, error } = inputOf({ field, form });
  return (
    <Switch
      label={label}
      description={description}
      error={error}
      checked={form.entryOf(field) === true}
      onChange={event => form.set(field, event.currentTarget.checked)}
    />
  );
}

function YesNo({ field, form }: FieldProps) {
  const { placeholder: _, ...input } = inputOf({ field, form });
  return (
    <NativeSelect
      {...input}
      data={[
        { value: '', label: t('notSet') },
        { value: 'true', label: t('yes') },
        { value: 'false', label: t('no') },
      ]}
      value={String(form.entryOf(field))}
      onChange={({ currentTarget: { value } }) => form.set(field, value === '' ? '' : value === 'true')}
    />
  );
}

const labelOf = (value: unknown, label: string) => (typeof value === 'boolean' ? t(value ? 'yes' : 'no') : label);

const optionsOf = ({ choices }: ChoiceField) =>
  choices.map(({ value, label }) => ({ value: JSON.stringify(value), label: labelOf(value, label) }));

function OneChoice({ field, form }: FieldProps<ChoiceField>) {
  const { placeholder: _, ...input } = inputOf({ field, form });
  return (
    <NativeSelect
      {...input}
      data={[{ value: '', label: t('notSet') }, ...optionsOf(field)]}
      value={textOf({ field, form })}
      onChange={event => form.set(field, event.currentTarget.value)}
    />
  );
}

function Choices({ field, form }: FieldProps<ChoiceField>) {
  const { label, description, error, withAsterisk } = inputOf({ field, form });
  const entry = form.entryOf(field);
  return (
    <Checkbox.Group
      label={label}
      description={description}
      error={error}
      withAsterisk={withAsterisk}
      value={Array.isArray(entry) ? [...entry] : []}
      onChange={values => form.set(field, values)}
    >
      <Stack gap={6} mt={6}>
        {optionsOf(field).map(option => (
          <Checkbox key={option.value} {...option} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

/** A value that the API never returns. It stays as it is unless a new one is entered. */
function Secret({ field, form }: FieldProps) {
  const entry = form.entryOf(field);
  const isRemoved = entry === null;
  const input = inputOf({ field, form });
  // An input drops line breaks, which keys in PEM format need.
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text').trim();
    if (!text.includes('\n')) return;
    event.preventDefault();
    form.set(field, text);
  };
  const about = form.isStored
    ? [hintOf(field), t(isRemoved ? 'removed' : 'unchangedAbout')].join(' ').trim()
    : hintOf(field);
  return (
    <div>
      <PasswordInput
        {...input}
        autoComplete="new-password"
        description={about || undefined}
        placeholder={form.isStored ? t('unchanged') : input.placeholder}
        disabled={isRemoved}
        value={textOf({ field, form })}
        onChange={event => form.set(field, event.currentTarget.value)}
        onPaste={paste}
        visibilityToggleButtonProps={{ 'aria-label': t('showValue', { title: input.label }) }}
      />
      {form.isStored && !field.isRequired && (
        <Anchor
          component="button"
          type="button"
          size="xs"
          mt={4}
          aria-label={t(isRemoved ? 'keep' : 'remove', { title: input.label })}
          onClick={() => form.set(field, isRemoved ? '' : null)}
        >
          {t(isRemoved ? 'keepStored' : 'removeStored')}
        </Anchor>
      )}
    </div>
  );
}
