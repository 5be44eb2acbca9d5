import { ActionIcon, Alert, Button, Group, NativeSelect, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useParley } from '../../api/clients.ts';
import type { Body, Output } from '../../api/contract.ts';
import { useAction } from '../../api/useAction.ts';
import { IconPlus, IconTrash } from '../../icons/tabler.ts';
import { shell } from '../../messages/en/shell.ts';
import { workspaceSettings } from '../../messages/en/workspaceSettings.ts';
import { translator } from '../../messages/translate.ts';

const t = translator('workspaceSettings', workspaceSettings);
const roles = translator('shell', shell);

type Settings = NonNullable<Output<'getSingleSignOn'>['singleSignOn']>;
type Fields = Body<'setSingleSignOn'>;
type GrantedRole = NonNullable<Fields['defaultRole']>;

/** Ownership is granted by owners only. */
const GRANTED: readonly GrantedRole[] = ['viewer', 'billing', 'agent', 'developer', 'manager', 'administrator'];
const roleOptions = () => GRANTED.map(value => ({ value, label: roles(`role_${value}`) }));

interface FormProps {
  settings: Settings | undefined;
  mayChange: boolean;
  changes: readonly (readonly unknown[])[];
  /** Closes the form of a workspace without single sign-on. */
  onCancel: (() => void) | undefined;
}

interface Entry {
  key: number;
  group: string;
  role: GrantedRole;
}

let keys = 0;
const entryOf = (group = '', role: GrantedRole = 'agent'): Entry => ({ key: ++keys, group, role });

const domainsIn = (text: string) =>
  text
    .split(/[\s,;]+/)
    .map(domain => domain.toLowerCase().replace(/^@/, ''))
    .filter(domain => domain !== '');

export function SingleSignOnForm({ settings, mayChange, changes, onCancel }: FormProps) {
  const parley = useParley();
  const [issuer, setIssuer] = useState(settings?.issuer ?? '');
  const [clientId, setClientId] = useState(settings?.clientId ?? '');
  const [clientSecret, setSecret] = useState('');
  const [groupsClaim, setGroupsClaim] = useState(settings?.groupsClaim ?? 'groups');
  const [entries, setEntries] = useState(() =>
    (settings?.roles ?? []).map(({ group, role }) => entryOf(group, role as GrantedRole)),
  );
  const [defaultRole, setDefaultRole] = useState<GrantedRole | ''>((settings?.defaultRole as GrantedRole) ?? '');
  const [domains, setDomains] = useState(settings?.emailDomains.join(', ') ?? '');
  const isSameClient = settings?.issuer === issuer && settings.clientId === clientId;
  const save = useAction((fields: Fields) => parley.setSingleSignOn(fields), {
    done: t('singleSignOnSaved'),
    changes,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({
      issuer: issuer.trim(),
      clientId: clientId.trim(),
      ...(clientSecret === '' ? {} : { clientSecret }),
      ...(settings ? { scope: settings.scope } : {}),
      groupsClaim,
      roles: entries.map(({ group, role }) => ({ group, role })),
      defaultRole: defaultRole === '' ? null : defaultRole,
      emailDomains: domainsIn(domains),
    });
  };
  const change = (key: number, fields: Partial<Entry>) =>
    setEntries(entries.map(each => (each.key === key ? { ...each, ...fields } : each)));
  return (
    <form onSubmit={submit}>
      <Stack maw={560}>
        <TextInput
          label={t('issuer')}
          description={t('issuerAbout')}
          type="url"
          placeholder="https://"
          value={issuer}
          required
          withAsterisk={false}
          readOnly={!mayChange}
          onChange={event => setIssuer(event.currentTarget.value)}
        />
        <TextInput
          label={t('clientId')}
          value={clientId}
          maxLength={500}
          required
          withAsterisk={false}
          readOnly={!mayChange}
          onChange={event => setClientId(event.currentTarget.value)}
        />
        {mayChange && (
          <PasswordInput
            label={t('clientSecret')}
            description={t(settings?.hasClientSecret && isSameClient ? 'secretStored' : 'secretOptional')}
            value={clientSecret}
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': t('showSecret') }}
            onChange={event => setSecret(event.currentTarget.value)}
          />
        )}
        <TextInput
          label={t('groupsClaim')}
          value={groupsClaim}
          maxLength={200}
          required
          withAsterisk={false}
          readOnly={!mayChange}
          onChange={event => setGroupsClaim(event.currentTarget.value)}
        />
        <Stack gap={6} role="group" aria-label={t('roles')}>
          <Text size="sm" fw={500}>
            {t('roles')}
          </Text>
          <Text size="xs" c="dimmed">
            {t('rolesAbout')}
          </Text>
          {entries.map(({ key, group, role }, i) => (
            <Group key={key} gap="xs" wrap="nowrap">
              <TextInput
                flex={1}
                aria-label={t('groupOf', { count: i + 1 })}
                placeholder={t('group')}
                value={group}
                maxLength={500}
                required
                readOnly={!mayChange}
                onChange={event => change(key, { group: event.currentTarget.value })}
              />
              <NativeSelect
                aria-label={t('roleOf', { count: i + 1 })}
                data={roleOptions()}
                value={role}
                disabled={!mayChange}
                onChange={event => change(key, { role: event.currentTarget.value as GrantedRole })}
              />
              {mayChange && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('removeGroup', { name: group })}
                  onClick={() => setEntries(entries.filter(each => each.key !== key))}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              )}
            </Group>
          ))}
          {mayChange && (
            <Group>
              <Button
                size="xs"
                variant="default"
                leftSection={<IconPlus size={14} aria-hidden />}
                onClick={() => setEntries([...entries, entryOf()])}
              >
                {t('addGroup')}
              </Button>
            </Group>
          )}
        </Stack>
        <NativeSelect
          label={t('defaultRole')}
          data={[{ value: '', label: t('noAccess') }, ...roleOptions()]}
          value={defaultRole}
          disabled={!mayChange}
          onChange={event => setDefaultRole(event.currentTarget.value as GrantedRole | '')}
        />
        {defaultRole !== '' && (
          <TextInput
            label={t('emailDomains')}
            description={t('emailDomainsAbout')}
            placeholder={t('domainExample')}
            value={domains}
            readOnly={!mayChange}
            onChange={event => setDomains(event.currentTarget.value)}
          />
        )}
        {defaultRole !== '' && domainsIn(domains).length === 0 && <Alert color="yellow">{t('anyoneWarning')}</Alert>}
        {mayChange && (
          <Group>
            <Button type="submit" loading={save.isPending}>
              {t('saveSingleSignOn')}
            </Button>
            {onCancel && (
              <Button variant="default" onClick={onCancel}>
                {t('cancel')}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </form>
  );
}
