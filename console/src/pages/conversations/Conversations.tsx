/** Two panes: the list of conversations and the open conversation. */
import { Box, Title } from '@mantine/core';
import { IconMessages } from '@tabler/icons-react';
import { Outlet } from '@tanstack/react-router';
import { usePageTitle } from '../../parts/Page.tsx';
import { Empty } from '../../parts/States.tsx';
import { useBotId, useMaybeConversationId } from '../../shell/useRoute.ts';
import { ConversationList } from './ConversationList.tsx';
import classes from './Conversations.module.css';

export function Conversations() {
  const botId = useBotId();
  const openId = useMaybeConversationId();
  return (
    <div className={classes.panes} data-open={openId !== undefined}>
      <Box component="section" className={classes.list} aria-label="Conversations">
        <div className={classes.bar}>
          <Title order={openId === undefined ? 1 : 2} size="h3">
            Conversations
          </Title>
        </div>
        <ConversationList key={botId} botId={botId} openId={openId} />
      </Box>
      <Outlet />
    </div>
  );
}

export function NoConversation() {
  usePageTitle('Conversations');
  return (
    <div className={classes.nothing}>
      <Empty Icon={IconMessages} title="No conversation selected">
        Choose one from the list to read it. New conversations and messages appear as they happen.
      </Empty>
    </div>
  );
}
