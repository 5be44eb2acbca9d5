import { expect, it } from 'vitest';
import { textOf } from '#console/src/alerts/alertText.ts';
import type { HandoffAlert } from '#console/src/alerts/decideAlerts.ts';
import { by, mine, waiting } from './alertRows.ts';

const message = (text: string) => ({
  user: { id: 'user_ada1', name: 'Ada' },
  lastMessage: {
    id: 'msg',
    createdAt: '2030-01-01T00:00:00.000Z',
    author: 'user' as const,
    userId: 'user_ada1',
    type: 'text',
    text,
  },
});

it('names the customer and the reason of a conversation in the queue', () => {
  const row = waiting({ reason: 'Late parcel', preview: message('Where is it?') });

  const text = textOf([{ event: 'waiting', row }]);

  expect(text).toMatchObject({ title: 'Waiting: Ada – Late parcel', body: 'Where is it?', path: '/inbox/bot/ada' });
});

it('names the member who assigned a conversation', () => {
  const row = mine({ updatedBy: by('Bob'), preview: message('Where is it?') });

  const text = textOf([{ event: 'assigned', row }]);

  expect(text).toMatchObject({ title: 'Assigned to you: Ada', body: 'By Bob\nWhere is it?' });
});

it('quotes a message', () => {
  const text = textOf([{ event: 'message', row: mine({ preview: message('Thank you') }) }]);

  expect(text).toMatchObject({ title: 'Ada', body: 'Thank you', view: 'mine' });
});

it.each<[HandoffAlert['event'][], string, string]>([
  [Array(5).fill('waiting'), '5 new conversations', 'waiting'],
  [['waiting', 'message', 'message'], '1 new conversation, 2 conversations with new messages', 'open'],
  [['assigned', 'assigned'], '2 conversations assigned to you', 'mine'],
])('summarizes %j', (events, title, view) => {
  const text = textOf(events.map((event, i) => ({ event, row: waiting({ conversationId: `c${i}` }) })));

  expect(text).toMatchObject({ title, view, path: '/inbox' });
  expect(text.body).toBe(events.map((_, i) => `c${i}`).join(', '));
});
