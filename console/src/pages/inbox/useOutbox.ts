/** The tab's outbox, cleared at sign-out. */
import { useSyncExternalStore } from 'react';
import { onAccountLeft } from '../../session/session.ts';
import { Outbox, type Outgoing } from './replyOutbox.ts';

export const outbox = new Outbox(sessionStorage);
onAccountLeft(() => outbox.clear());

export const useOutbox = (conversationId: string): readonly Outgoing[] =>
  useSyncExternalStore(outbox.subscribe, () => outbox.of(conversationId));
