/** Reports an endpoint that does not receive its deliveries, and retries it. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { Endpoint } from '../api/contract.ts';
import { useRetryEndpoint } from '../api/useEndpoints.ts';
import { IconAlertCircle } from '../icons/tabler.ts';
import { bots } from '../messages/en/bots.ts';
import { translator } from '../messages/translate.ts';
import { endpointStatus } from './endpointStatus.ts';
import { When } from './Small.tsx';

const t = translator('bots', bots);

interface EndpointAlertProps {
  botId: string;
  endpoint: Endpoint | undefined;
}

export function EndpointAlert({ botId, endpoint }: EndpointAlertProps) {
  const retry = useRetryEndpoint(botId, endpoint?.integrationAlias, t('retriedEndpoint'));
  if (endpoint?.status !== 'unreachable' && endpoint?.status !== 'failing') return null;
  const { status, failedAttempts, lastError, nextAttemptAt, pausedConversations } = endpoint;
  return (
    <Alert variant="light" color="red" icon={<IconAlertCircle />} title={endpointStatus(endpoint).label} role="alert">
      <Stack gap={4} c="var(--mantine-color-text)">
        <Text size="sm">
          {t(status === 'failing' ? 'failedEvents' : 'failedAttempts', { count: failedAttempts })}{' '}
          {pausedConversations > 0
            ? t('pausedConversations', { count: pausedConversations })
            : t('noPausedConversations')}
        </Text>
        {lastError && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {lastError}
          </Text>
        )}
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed">
            {nextAttemptAt && t.rich('nextAttempt', { time: <When at={nextAttemptAt} isExact /> })}
          </Text>
          <Button size="xs" variant="default" loading={retry.isPending} onClick={() => retry.mutate(undefined)}>
            {t('retryNow')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
