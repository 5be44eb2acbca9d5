/** Lists other conversations of the customer in the side panel. */
import { Anchor, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useParley } from '../../api/clients.ts';
import type { FoundConversation } from '../../api/contract.ts';
import { customer as texts } from '../../messages/en/customer.ts';
import { translator } from '../../messages/translate.ts';
import { conversationPath } from '../../navigation/inboxAddress.ts';
import { previewOf } from '../../parts/Payload.tsx';
import { When } from '../../parts/Small.tsx';
import { StateChip } from '../../parts/StateChip.tsx';
import { Nothing, Section } from '../conversations/Details.tsx';
import classes from './Contact.module.css';

const t = translator('customer', texts);

const SHOWN = 5;
const STALE_MS = 60_000;

interface EarlierConversationsProps {
  botId: string;
  userId: string;
  /** Omitted, because it is open. */
  conversationId: string;
}

/** Reads them by a search for the user's id, which returns the latest 20 with previews. */
export function EarlierConversations({ botId, userId, conversationId }: EarlierConversationsProps) {
  const parley = useParley(botId);
  const { data, isPending } = useQuery({
    queryKey: ['earlierConversations', botId, userId],
    queryFn: async ({ signal }) => {
      const { customers } = await parley.searchInbox({ query: userId, botIds: [botId] }, signal);
      return customers.flatMap(({ conversations }) => conversations);
    },
    staleTime: STALE_MS,
  });
  const others = (data ?? []).filter(({ id }) => id !== conversationId);
  return (
    <Section
      title={t('earlier')}
      action={
        others.length > SHOWN && (
          <Anchor
            component={Link}
            size="xs"
            to={conversationPath(botId, conversationId) as string}
            search={{ view: 'all', bot: botId, q: userId } as never}
          >
            {t('allEarlier')}
          </Anchor>
        )
      }
    >
      {isPending && <Skeleton height={14} width="70%" />}
      {data && others.length === 0 && <Nothing>{t('noneEarlier')}</Nothing>}
      {others.slice(0, SHOWN).map(each => (
        <Earlier key={each.id} botId={botId} conversation={each} />
      ))}
    </Section>
  );
}

function Earlier({ botId, conversation }: { botId: string; conversation: FoundConversation }) {
  const { id, updatedAt, handoff, preview } = conversation;
  const latest = preview?.lastMessage;
  const summary = latest && previewOf(latest);
  return (
    <Link
      className={classes.earlier}
      to={conversationPath(botId, id) as string}
      search={{ view: 'all' } as never}
      data-earlier={id}
    >
      <span className={classes.earlierHead}>
        <When at={latest?.createdAt ?? updatedAt} />
        {handoff && (
          <StateChip status={handoff.snoozedUntil ? 'snoozed' : handoff.status}>
            {handoff.status === 'served' ? handoff.member?.name : t(`status_${handoff.status}`)}
          </StateChip>
        )}
      </span>
      <bdi className={classes.earlierText}>{summary || t('noMessage')}</bdi>
    </Link>
  );
}
