/** The thread of a conversation in the inbox. */
import { expect, it } from 'vitest';
import type { Handoff, Note } from '#console/src/api/contract.ts';
import { authorOfNote, timelineOf } from '#console/src/pages/inbox/inboxTimeline.ts';
import type { Outgoing } from '#console/src/pages/inbox/replyOutbox.ts';

const at = (second: number) => `2030-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;
const message = (id: string, second: number) => ({
  id,
  createdAt: at(second),
  userId: 'user_1',
  type: 'text',
  payload: { text: id },
  tags: {},
});
const note = (id: string, second: number): Note => ({
  id,
  conversationId: 'c',
  createdAt: at(second),
  author: { type: 'member', id: 'ada', name: 'Ada' },
  text: id,
});
const handoff: Handoff = {
  id: 'handoff_1',
  conversationId: 'c',
  status: 'closed',
  reason: 'Late',
  startedAt: at(10),
  startedBy: { type: 'bot', id: 'b', name: 'Bot' },
  member: { id: 'ada', name: 'Ada', userId: 'user_ada' },
  servedAt: at(20),
  endedAt: at(30),
  endedBy: { type: 'member', id: 'ada', name: 'Ada' },
  updatedAt: at(30),
  priority: 'normal',
  isUnread: false,
};
const outgoing = (change: Partial<Outgoing> = {}): Outgoing => ({
  key: 'key',
  conversationId: 'c',
  text: 'On its way',
  isNote: false,
  createdAt: at(1),
  state: 'sending',
  ...change,
});
const NOTHING = {
  messages: [],
  notes: [],
  handoffs: [],
  outgoing: [],
  ownUserId: undefined,
  ownId: 'ada',
  hasEarlier: false,
  texts: {
    requested: (name: string, reason: string | undefined) => `${name} requested: ${reason}`,
    served: ({ member }: { member?: { name: string } | undefined }) => `${member?.name} took over`,
    rated: ({ value }: { value: number }) => `rated ${value}`,
    snoozed: (name: string, until: string) => `${name} snoozed until ${until}`,
    woken: () => 'The snooze ended',
    ended: ({ endedBy, outcome }: Pick<Handoff, 'endedBy' | 'outcome'>) => `${endedBy?.name} ${outcome ?? 'ended'}`,
  },
};
const textsOf = (items: { payload: { text?: string } }[]) => items.map(({ payload }) => payload.text);

it('shows messages, notes and handoff changes in chronological order', () => {
  const items = timelineOf({
    ...NOTHING,
    messages: [message('late', 25), message('early', 5)],
    notes: [note('remark', 22)],
    handoffs: [handoff],
  });

  expect(textsOf(items)).toEqual(['early', 'Bot requested: Late', 'Ada took over', 'remark', 'late', 'Ada ended']);
  expect(items.map(({ variant }) => variant)).toEqual([undefined, 'line', 'line', 'note', undefined, 'line']);
});

it('shows one line when a member takes over from the bot', () => {
  const taken = { ...handoff, startedBy: { type: 'member' as const, id: 'ada', name: 'Ada' }, servedAt: at(10) };

  expect(textsOf(timelineOf({ ...NOTHING, handoffs: [taken] }))).toEqual(['Ada took over', 'Ada ended']);
});

it('shows nothing before the first loaded message', () => {
  const parts = { ...NOTHING, messages: [message('late', 25)], notes: [note('remark', 22)], handoffs: [handoff] };

  expect(textsOf(timelineOf({ ...parts, hasEarlier: true }))).toEqual(['late', 'Ada ended']);
});

it('ends with the replies that are being sent, until the API lists them', () => {
  const messages = [message('msg_1', 25)];
  const sending = timelineOf({ ...NOTHING, messages, ownUserId: 'user_ada', outgoing: [outgoing()] });
  const listed = timelineOf({ ...NOTHING, messages, outgoing: [outgoing({ state: 'sent', id: 'msg_1' })] });

  expect(textsOf(sending)).toEqual(['msg_1', 'On its way']);
  expect(sending[1]!.userId).toBe('user_ada');
  expect(textsOf(listed)).toEqual(['msg_1']);
});

it("keeps a member's notes apart from their messages", () => {
  const [item] = timelineOf({ ...NOTHING, outgoing: [outgoing({ isNote: true })] });

  expect(item).toMatchObject({ variant: 'note' });
  expect(authorOfNote(item!.userId)).toBe('ada');
  expect(authorOfNote('user_ada')).toBeUndefined();
});
