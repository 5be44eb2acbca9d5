/** Two panes: the list of conversations and the open conversation. */
import { Box, Title } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { IconMessages } from '../../icons/tabler.ts';
import { conversation as texts } from '../../messages/en/conversation.ts';
import { translator } from '../../messages/translate.ts';
import { useBotId, useMaybeConversationId } from '../../navigation/useRoute.ts';
import { usePageTitle } from '../../parts/pageTitle.ts';
import { Empty } from '../../parts/States.tsx';
import { ConversationList } from './ConversationList.tsx';
import classes from './Conversations.module.css';

const t = translator('conversation', texts);

export function Conversations() {
  const botId = useBotId();
  const openId = useMaybeConversationId();
  return (
    <div className={classes.panes} data-open={openId !== undefined}>
      <Box component="section" className={classes.list} aria-label={t('title')}>
        <div className={classes.bar}>
          <Title order={openId === undefined ? 1 : 2} size="h3">
            {t('title')}
          </Title>
        </div>
        <ConversationList key={botId} botId={botId} openId={openId} />
      </Box>
      <Outlet />
    </div>
  );
}

export function NoConversation() {
  usePageTitle(t('title'));
  return (
    <div className={classes.nothing}>
      <Empty Icon={IconMessages} title={t('noneOpen')}>
        {t('noneOpenAbout')}
      </Empty>
    </div>
  );
}
