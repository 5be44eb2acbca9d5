import { Select } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useRecentBots } from '../../api/useBot.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { useInboxSearch } from '../../navigation/inboxAddress.ts';

const t = translator('inbox', inbox);

/** Chooses the bot whose conversations the inbox lists. Hidden while there is only one bot. */
export function BotFilter() {
  const { data: bots = [] } = useRecentBots();
  const { bot } = useInboxSearch();
  const navigate = useNavigate();
  if (bots.length < 2 && bot === undefined) return null;
  return (
    <Select
      size="xs"
      px={12}
      pb={8}
      aria-label={t('botFilter')}
      placeholder={t('allBots')}
      clearable
      clearButtonProps={{ 'aria-label': t('allBots') }}
      searchable={bots.length > 8}
      nothingFoundMessage={t('noBotFound')}
      value={bot ?? null}
      data={bots.map(({ id, name }) => ({ value: id, label: name || id }))}
      onChange={value =>
        void navigate({
          to: '.',
          search: ((before: Record<string, unknown>) => ({ ...before, bot: value ?? undefined })) as never,
        })
      }
    />
  );
}
