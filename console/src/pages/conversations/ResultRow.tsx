/** A conversation in the results of a search, or a customer without one. */

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Customer, FoundConversation } from '../../api/contract.ts';
import { search as texts } from '../../messages/en/search.ts';
import { translator } from '../../messages/translate.ts';
import { previewOf } from '../../parts/Payload.tsx';
import { Person } from '../../parts/Person.tsx';
import { personName } from '../../parts/personName.ts';
import { StateChip } from '../../parts/StateChip.tsx';
import { formatShort, formatWhole } from '../../parts/time.ts';
import panes from './Conversations.module.css';
import classes from './Search.module.css';

const t = translator('search', texts);

interface ResultRowProps {
  /** By default, the user who wrote last. */
  user?: Customer['user'];
  conversation?: FoundConversation;
  /** Shows why the row was found. */
  about: ReactNode;
  link?: { to: string; search?: object };
  botName?: string | undefined;
  isOpen?: boolean;
}

export function ResultRow({ user: found, conversation, about, link, botName, isOpen = false }: ResultRowProps) {
  const user = found ?? conversation?.preview?.user;
  const latest = conversation?.preview?.lastMessage;
  const at = latest?.createdAt ?? conversation?.updatedAt;
  const name = user ? personName(user) : conversation?.id;
  const summary = latest && previewOf(latest);
  const content = (
    <>
      <Person
        name={user ? (name ?? '') : ''}
        id={user?.id ?? conversation?.id ?? ''}
        pictureUrl={user?.pictureUrl}
        size={34}
      />
      <span className={panes.itemText}>
        <span className={panes.itemHead}>
          <span className={panes.itemName} dir="auto">
            {name}
          </span>
          {at && (
            <time dateTime={at} title={formatWhole(at)} className="number">
              {formatShort(at)}
            </time>
          )}
        </span>
        <span className={classes.about}>{about}</span>
        <span className={panes.itemHead}>
          <span className={panes.itemSummary}>{conversation ? <bdi>{summary}</bdi> : t('noConversations')}</span>
          <State of={conversation?.handoff} />
        </span>
        {botName !== undefined && (
          <span className={panes.itemHead}>
            <bdi className={panes.itemVia}>{botName}</bdi>
          </span>
        )}
      </span>
    </>
  );
  if (!link || !conversation) return <div className={panes.item}>{content}</div>;
  return (
    <Link
      className={panes.item}
      to={link.to as string}
      search={(link.search ?? {}) as never}
      data-conversation={conversation.id}
      {...(isOpen ? { 'aria-current': 'page' as const } : {})}
    >
      {content}
    </Link>
  );
}

/** Names the member to whom the conversation is assigned. */
function State({ of: handoff }: { of: FoundConversation['handoff'] }) {
  if (!handoff) return null;
  const { status, member } = handoff;
  const shown = status === 'served' ? member?.name : t(status);
  return (
    <span className={classes.state}>
      <StateChip status={status}>{shown}</StateChip>
    </span>
  );
}
