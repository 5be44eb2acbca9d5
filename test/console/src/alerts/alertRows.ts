import type { InboxRow } from '#console/src/api/contract.ts';

export const ME = 'account-me';
/** Seconds after the page was opened. */
export const at = (second: number) => new Date(Date.UTC(2030, 0, 1) + second * 1_000).toISOString();
export const by = (id: string) => ({ type: 'member' as const, id, name: id });

/** A conversation in the queue that started before the page was opened. */
export const waiting = (fields: Partial<InboxRow> = {}): InboxRow => ({
  id: `handoff_${fields.conversationId ?? 'ada'}`,
  botId: 'bot',
  conversationId: 'ada',
  status: 'waiting',
  startedAt: at(-60),
  startedBy: { type: 'bot', id: 'bot', name: 'Bot' },
  updatedAt: at(-60),
  updatedBy: { type: 'bot', id: 'bot', name: 'Bot' },
  priority: 'normal',
  isUnread: false,
  preview: { user: { id: 'user_ada1', name: fields.conversationId ?? 'Ada' } },
  ...fields,
});

/** A conversation that the member has taken over before the page was opened. */
export const mine = (fields: Partial<InboxRow> = {}): InboxRow =>
  waiting({
    status: 'served',
    member: { id: ME, name: 'Me', userId: 'user_me' },
    servedAt: at(-30),
    updatedAt: at(-30),
    updatedBy: by(ME),
    ...fields,
  });
