/** Settings of the inbox of a workspace: assignment, limit and release. */
import { Alert, Button, Group, NativeSelect, NumberInput, Radio, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import '@mantine/core/styles/Radio.layer.css';
import { useParley, useWorkspaceId } from '../../api/clients.ts';
import type { InboxSettings as Settings } from '../../api/contract.ts';
import { useAction } from '../../api/useAction.ts';
import { useInboxSettings } from '../../api/useAgents.ts';
import { useMember } from '../../api/useMember.ts';
import { workspace } from '../../messages/en/workspace.ts';
import { translator } from '../../messages/translate.ts';
import { Loaded } from '../../parts/States.tsx';
import { MANAGING } from './managing.ts';

const t = translator('workspace', workspace);

const NEVER = 'never';
const MOST_OPEN = 100;

export function InboxSettings() {
  const query = useInboxSettings();
  const { data: me } = useMember();
  return (
    <Loaded query={query}>
      {settings => <Form key={JSON.stringify(settings)} settings={settings} mayChange={MANAGING.includes(me?.role)} />}
    </Loaded>
  );
}

function Form({ settings, mayChange }: { settings: Settings; mayChange: boolean }) {
  const parley = useParley();
  const workspaceId = useWorkspaceId();
  const [assignment, setAssignment] = useState(settings.assignment);
  const [limit, setLimit] = useState<string | number>(settings.maxOpenPerAgent);
  const [release, setRelease] = useState(String(settings.releaseAfterMinutes ?? NEVER));
  const isLimitValid = typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= MOST_OPEN;
  const save = useAction(
    () =>
      parley.updateInboxSettings({
        assignment,
        maxOpenPerAgent: Number(limit),
        releaseAfterMinutes: release === NEVER ? null : (Number(release) as 5 | 15),
      }),
    { done: t('inboxSettingsSaved'), changes: [['inboxSettings', workspaceId]] },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isLimitValid) save.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {!mayChange && <Alert color="gray">{t('inboxSettingsReadOnly')}</Alert>}
        <Radio.Group
          label={t('assignment')}
          description={t('assignmentAbout')}
          value={assignment}
          onChange={value => setAssignment(value as Settings['assignment'])}
        >
          <Stack gap="sm" mt={8}>
            {(['manual', 'automatic'] as const).map(each => (
              <Radio
                key={each}
                value={each}
                label={t(`assignment_${each}`)}
                description={t(`assignmentAbout_${each}`)}
                disabled={!mayChange}
              />
            ))}
          </Stack>
        </Radio.Group>
        <NumberInput
          label={t('maxOpen')}
          description={t('maxOpenAbout')}
          maw={360}
          min={1}
          max={MOST_OPEN}
          allowDecimal={false}
          value={limit}
          onChange={setLimit}
          error={isLimitValid ? undefined : t('maxOpenInvalid', { most: MOST_OPEN })}
          disabled={!mayChange || assignment === 'manual'}
        />
        <NativeSelect
          label={t('release')}
          description={t('releaseAbout')}
          maw={360}
          value={release}
          onChange={event => setRelease(event.currentTarget.value)}
          data={[
            { value: NEVER, label: t('releaseNever') },
            { value: '5', label: t('releaseMinutes', { count: 5 }) },
            { value: '15', label: t('releaseMinutes', { count: 15 }) },
          ]}
          disabled={!mayChange}
        />
        <Text size="xs" c="dimmed">
          {t('releaseAway')}
        </Text>
        {mayChange && (
          <Group>
            <Button type="submit" loading={save.isPending}>
              {t('saveSettings')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
