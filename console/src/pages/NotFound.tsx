import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { shell } from '../messages/en/shell.ts';
import { translator } from '../messages/translate.ts';
import { openPalette } from '../navigation/paletteRequests.ts';
import { useMaybeBotId } from '../navigation/useRoute.ts';
import { Empty } from '../parts/States.tsx';

const t = translator('shell', shell);

/** A page for an unknown address, with ways back. */
export function NotFound() {
  const botId = useMaybeBotId();
  return (
    <Empty
      title={t('noPage')}
      action={
        <Group gap="xs" justify="center">
          <Button component={Link} to={'/' as string} size="xs">
            {t('allBots')}
          </Button>
          {botId && (
            <Button component={Link} to={`/bots/${botId}` as string} size="xs" variant="default">
              {t('overview')}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={openPalette}>
            {t('search')}
          </Button>
        </Group>
      }
    >
      {t('noPageAbout')}
    </Empty>
  );
}
