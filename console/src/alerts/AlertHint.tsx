/** Asks for the permission of desktop notifications, and reports sound that the browser blocked. */
import { Alert, Button, CloseButton, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { alerts } from '../messages/en/alerts.ts';
import { translator } from '../messages/translate.ts';
import { requestPermission, useDesktopPermission } from './desktop.ts';
import { useSoundBlocked } from './sound.ts';

const t = translator('alerts', alerts);

const DISMISSED_KEY = 'parley-console-alert-hint';

export function AlertHint() {
  const permission = useDesktopPermission();
  const isSoundBlocked = useSoundBlocked();
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(DISMISSED_KEY) !== null);
  const dismiss = () => {
    localStorage.setItem(DISMISSED_KEY, 'yes');
    setDismissed(true);
  };
  if (isSoundBlocked)
    return (
      <Text size="sm" px="sm" py={6} role="status">
        {t('soundBlocked')}
      </Text>
    );
  if (permission !== 'default' || isDismissed) return null;
  return (
    <Alert variant="light" p="xs" mb={8} radius={0} role="note" aria-label={t('title')}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <div style={{ flex: 1 }}>
          <Text size="sm">{t('hint')}</Text>
          <Group gap="xs" pt={6}>
            <Button size="compact-xs" onClick={() => void requestPermission()}>
              {t('turnOn')}
            </Button>
            <Button size="compact-xs" variant="default" component={Link} to={'/account' as string}>
              {t('chooseAlerts')}
            </Button>
          </Group>
        </div>
        <CloseButton size="sm" aria-label={t('dismiss')} onClick={dismiss} />
      </Group>
    </Alert>
  );
}
