import { Button } from '@mantine/core';
import { useAdminClient } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { integrations } from '../../messages/en/integrations.ts';
import { translator } from '../../messages/translate.ts';
import { installChat } from './chatIntegration.ts';

const t = translator('integrations', integrations);

export function InstallChat({ botId }: { botId: string }) {
  const client = useAdminClient();
  const install = useAction(() => installChat(client, botId), {
    done: t('chatInstalled'),
    changes: [['bot', botId], ['integrations']],
  });
  return (
    <Button size="xs" onClick={() => install.mutate(undefined)} loading={install.isPending}>
      {t('installChat')}
    </Button>
  );
}
