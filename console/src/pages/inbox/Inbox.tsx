/** Inbox of a workspace, with two panes: the list of conversations and the open one. */

import { Title } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { AlertHint } from '../../alerts/AlertHint.tsx';
import { IconInbox } from '../../icons/tabler.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { useInboxSearch } from '../../navigation/inboxAddress.ts';
import { useMaybeConversationId } from '../../navigation/useRoute.ts';
import { usePageTitle } from '../../parts/pageTitle.ts';
import { Empty } from '../../parts/States.tsx';
import panes from '../conversations/Conversations.module.css';
import { AvailabilityMenu } from './AvailabilityMenu.tsx';
import { BotFilter } from './BotFilter.tsx';
import { InboxList } from './InboxList.tsx';
import { useCaller } from './useTeam.ts';

const t = translator('inbox', inbox);

export function Inbox() {
  const { view, bot, label } = useInboxSearch();
  const openId = useMaybeConversationId();
  const { mayHandle } = useCaller();
  return (
    <div className={panes.panes} data-open={openId !== undefined}>
      <section className={panes.list} aria-label={t('title')} data-wide>
        <div className={panes.bar}>
          <Title order={openId === undefined ? 1 : 2} size="h3" style={{ flex: 1 }}>
            {t('title')}
          </Title>
          {mayHandle && <AvailabilityMenu />}
        </div>
        <BotFilter />
        {mayHandle && <AlertHint />}
        <InboxList key={`${bot} ${view} ${label}`} view={view} botId={bot} label={label} openId={openId} />
      </section>
      <Outlet />
    </div>
  );
}

export function NoInboxConversation() {
  usePageTitle(t('title'));
  return (
    <div className={panes.nothing}>
      <Empty Icon={IconInbox} title={t('noneOpen')}>
        {t('noneOpenAbout')}
      </Empty>
    </div>
  );
}
