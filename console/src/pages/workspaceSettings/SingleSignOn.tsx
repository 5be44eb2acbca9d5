import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParley, useWorkspaceId } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { workspaceSettings } from '../../messages/en/workspaceSettings.ts';
import { translator } from '../../messages/translate.ts';
import { Copyable } from '../../parts/Copyable.tsx';
import { Confirm } from '../../parts/Small.tsx';
import { Loaded } from '../../parts/States.tsx';
import { redirectUri, singleSignOnLink } from '../../session/singleSignOn.ts';
import { SingleSignOnForm } from './SingleSignOnForm.tsx';

const t = translator('workspaceSettings', workspaceSettings);

interface SingleSignOnProps {
  /** Handle of the workspace, or its id. */
  name: string;
  mayChange: boolean;
}

export function SingleSignOn({ name, mayChange }: SingleSignOnProps) {
  const parley = useParley();
  const queryKey = ['singleSignOn', useWorkspaceId()];
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({
    queryKey,
    queryFn: async () => (await parley.getSingleSignOn()).singleSignOn ?? null,
  });
  const turnOff = useAction(() => parley.deleteSingleSignOn(), {
    done: t('turnedOff'),
    changes: [queryKey],
    onDone: () => setOpen(false),
  });
  return (
    <Stack>
      {!mayChange && <Text size="sm">{t('onlyOwners')}</Text>}
      <Stack gap={4}>
        <Text size="sm" fw={500}>
          {t('redirectUri')}
        </Text>
        <Text size="xs" c="dimmed">
          {t('redirectUriAbout')}
        </Text>
        <Copyable value={redirectUri()} label={t('copyRedirectUri')} />
      </Stack>
      <Loaded query={query}>
        {settings => (
          <>
            {settings && (
              <Stack gap={4}>
                <Text size="sm" fw={500}>
                  {t('signInLink')}
                </Text>
                <Text size="xs" c="dimmed">
                  {t('signInLinkAbout')}
                </Text>
                <Copyable value={singleSignOnLink(name)} label={t('copySignInLink')} />
              </Stack>
            )}
            {settings || isOpen ? (
              <SingleSignOnForm
                key={settings?.updatedAt ?? 'new'}
                settings={settings ?? undefined}
                mayChange={mayChange}
                changes={[queryKey]}
                onCancel={settings ? undefined : () => setOpen(false)}
              />
            ) : (
              mayChange && (
                <Group>
                  <Button variant="default" onClick={() => setOpen(true)}>
                    {t('turnOn')}
                  </Button>
                </Group>
              )
            )}
            {settings && mayChange && (
              <Group>
                <Confirm
                  label={t('turnOff')}
                  title={t('turnOffTitle')}
                  size="sm"
                  isBusy={turnOff.isPending}
                  onConfirm={() => turnOff.mutate(undefined)}
                >
                  {t('turnOffAbout')}
                </Confirm>
              </Group>
            )}
          </>
        )}
      </Loaded>
    </Stack>
  );
}
