/** A form that a JSON schema describes. The focus moves to the first field with an error. */
import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, useEffect, useRef } from 'react';
import { useUnsaved } from '../unsaved.ts';
import { SchemaFields } from './SchemaFields.tsx';
import type { SchemaFormState } from './useSchemaForm.ts';

interface SchemaFormProps {
  form: SchemaFormState;
  label: string;
  submitLabel: string;
  isBusy: boolean;
  onSubmit: (value: Record<string, unknown>) => void;
}

export function SchemaForm({ form, label, submitLabel, isBusy, onSubmit }: SchemaFormProps) {
  useUnsaved(form.isChanged);
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (form.rejections > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [form.rejections]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const value = form.read();
    if (value) onSubmit(value);
  };
  return (
    <form ref={element} onSubmit={submit} noValidate aria-label={label}>
      <Stack gap="md">
        <SchemaFields form={form} />
        <Group justify="flex-end">
          <Button type="submit" loading={isBusy}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
