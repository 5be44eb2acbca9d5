/** Shows and edits the contact details of the customer. */
import { ActionIcon, Anchor, Group, Stack, Textarea, TextInput, Tooltip } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useParley, useWorkspaceId } from '../../api/clients.ts';
import type { Contact } from '../../api/contract.ts';
import { useAction } from '../../api/useAction.ts';
import { IconPencil } from '../../icons/tabler.ts';
import { customer as texts } from '../../messages/en/customer.ts';
import { translator } from '../../messages/translate.ts';
import { Copy } from '../../parts/Copyable.tsx';
import { FormButtons, InlineForm } from '../../parts/FormDialog.tsx';
import { Fact, Facts } from '../../parts/Small.tsx';
import { useUnsaved } from '../../parts/unsaved.ts';
import { Nothing, Section } from '../conversations/Details.tsx';
import classes from './Contact.module.css';
import {
  CONTACT_FIELDS,
  type ContactField,
  changedFields,
  fieldErrorsOf,
  MAX_ABOUT_CHARACTERS,
  MAX_CHARACTERS,
  telLink,
  textsOf,
} from './contactFields.ts';
import { useCaller } from './useTeam.ts';

const t = translator('customer', texts);

interface ContactSectionProps {
  botId: string;
  userId: string;
  contact: Contact | undefined;
}

export function ContactSection({ botId, userId, contact }: ContactSectionProps) {
  const { mayHandle } = useCaller();
  const [isEditing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setEditing(false);
    // Closing the form removes the focused field.
    requestAnimationFrame(() => button.current?.focus());
  };
  return (
    <Section
      title={t('contact')}
      action={
        mayHandle &&
        !isEditing && (
          <Tooltip label={t('editOf')}>
            <ActionIcon
              ref={button}
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={t('editOf')}
              onClick={() => setEditing(true)}
            >
              <IconPencil size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )
      }
    >
      {isEditing ? (
        <InlineForm onClose={close}>
          <Form botId={botId} userId={userId} contact={contact} onSaved={close} />
        </InlineForm>
      ) : (
        <Shown contact={contact} />
      )}
    </Section>
  );
}

function Shown({ contact = {} }: { contact: Contact | undefined }) {
  const filled = CONTACT_FIELDS.filter(field => contact[field]);
  if (filled.length === 0) return <Nothing>{t('none')}</Nothing>;
  return (
    <Facts>
      {filled.map(field => (
        <Fact key={field} name={t(field)}>
          <Value field={field} value={contact[field]!} />
        </Fact>
      ))}
    </Facts>
  );
}

function Value({ field, value }: { field: ContactField; value: string }) {
  if (field === 'email')
    return (
      <Linked href={`mailto:${value}`} value={value}>
        <Copy value={value} label={t('copyEmail')} />
      </Linked>
    );
  if (field === 'phone')
    return (
      <Linked href={telLink(value)} value={value}>
        <Copy value={value} label={t('copyPhone')} />
      </Linked>
    );
  return (
    <span className={classes.value} dir="auto">
      {value}
    </span>
  );
}

const Linked = ({ href, value, children }: { href: string; value: string; children: React.ReactNode }) => (
  <Group gap={4} wrap="nowrap" className={classes.linked}>
    <Anchor href={href} size="sm" dir="ltr" style={{ overflowWrap: 'anywhere' }}>
      {value}
    </Anchor>
    {children}
  </Group>
);

interface FormProps extends ContactSectionProps {
  onSaved: () => void;
}

function Form({ botId, userId, contact, onSaved }: FormProps) {
  const parley = useParley(botId);
  const workspaceId = useWorkspaceId();
  // Changes of colleagues meanwhile do not replace what the member writes.
  const [before] = useState(() => textsOf(contact));
  const [values, setValues] = useState(before);
  const [errors, setErrors] = useState<Partial<Record<ContactField, string>>>({});
  const changes = changedFields(before, values);
  const isChanged = Object.keys(changes).length > 0;
  useUnsaved(isChanged);
  const save = useAction(() => parley.updateUserContact(userId, changes), {
    done: t('saved'),
    changes: [
      ['participants', botId],
      ['handoffs', botId],
      // Rows show the name.
      ['inbox', workspaceId, 'list'],
    ],
    showError: error => {
      const found = fieldErrorsOf(error);
      setErrors(found ?? {});
      return found !== undefined;
    },
    onDone: onSaved,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged) save.mutate(undefined);
    else onSaved();
  };
  const fieldProps = (field: ContactField) => ({
    label: t(field),
    size: 'xs' as const,
    value: values[field],
    error: errors[field],
    onChange: ({ currentTarget: { value } }: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      setValues(current => ({ ...current, [field]: value }));
      setErrors(({ [field]: _, ...others }) => others);
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={8}>
        <TextInput
          {...fieldProps('name')}
          description={t('nameAbout')}
          maxLength={MAX_CHARACTERS}
          dir="auto"
          autoComplete="off"
          autoFocus
        />
        <TextInput {...fieldProps('email')} type="email" maxLength={MAX_CHARACTERS} autoComplete="off" />
        <TextInput {...fieldProps('phone')} type="tel" maxLength={MAX_CHARACTERS} autoComplete="off" />
        {(['company', 'jobTitle', 'location'] as const).map(field => (
          <TextInput key={field} {...fieldProps(field)} maxLength={MAX_CHARACTERS} dir="auto" autoComplete="off" />
        ))}
        <Textarea
          {...fieldProps('about')}
          maxLength={MAX_ABOUT_CHARACTERS}
          dir="auto"
          autosize
          minRows={2}
          maxRows={8}
        />
        <FormButtons submit={t('save')} isBusy={save.isPending} />
      </Stack>
    </form>
  );
}
