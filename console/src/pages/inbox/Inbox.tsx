/** Inbox with two panes: the list of handoffs and the open conversation. */
import { Title } from '@mantine/core';
import { Outlet, useSearch } from '@tanstack/react-router';
import { IconInbox } from '../../icons/tabler.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { useBotId, useMaybeConversationId } from '../../navigation/useRoute.ts';
import { usePageTitle } from '../../parts/Page.tsx';
import { Empty } from '../../parts/States.tsx';
import panes from '../conversations/Conversations.module.css';
import { InboxList } from './InboxList.tsx';
import { shownCount, type View, viewOf } from './inboxViews.ts';
import { useCounts } from './useInbox.ts';

const t = translator('inbox', inbox);

export const useView = (): View => viewOf((useSearch({ strict: false }) as { view?: string }).view);

export function Inbox() {
  const botId = useBotId();
  const view = useView();
  const openId = useMaybeConversationId();
  return (
    <div className={panes.panes} data-open={openId !== undefined}>
      <section className={panes.list} aria-label={t('title')} data-wide>
        <div className={panes.bar}>
          <Title order={openId === undefined ? 1 : 2} size="h3">
            {t('title')}
          </Title>
        </div>
        <InboxList key={`${botId} ${view}`} botId={botId} view={view} openId={openId} />
      </section>
      <Outlet />
    </div>
  );
}

/** Returns the title of the page with the number of waiting conversations, which a background tab shows. */
export function useInboxTitle(title: string, botId: string): void {
  const { data: counts } = useCounts(botId);
  usePageTitle(counts && counts.waiting > 0 ? `(${shownCount(counts.waiting)}) ${title}` : title);
}

export function NoInboxConversation() {
  const botId = useBotId();
  useInboxTitle(t('title'), botId);
  return (
    <div className={panes.nothing}>
      <Empty Icon={IconInbox} title={t('noneOpen')}>
        {t('noneOpenAbout')}
      </Empty>
    </div>
  );
}
