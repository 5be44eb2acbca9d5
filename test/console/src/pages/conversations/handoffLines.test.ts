import { describe, expect, it } from 'vitest';
import { handoffLines } from '#console/src/pages/conversations/handoffLines.ts';

const at = (minute: number) => `2026-03-01T10:${String(minute).padStart(2, '0')}:00.000Z`;
const ada = { type: 'member' as const, id: 'ada', name: 'Ada' };
const handoff = {
  id: 'handoff_1',
  conversationId: 'convo_1',
  status: 'served' as const,
  startedAt: at(1),
  startedBy: { type: 'bot' as const, id: 'bot', name: 'Kitchen' },
  reason: 'A complaint',
  member: { id: 'bob', name: 'Bob', userId: 'user_bob' },
  servedAt: at(2),
  updatedAt: at(2),
  priority: 'normal' as const,
  isUnread: false,
};
const textsOf = (handoffs: Parameters<typeof handoffLines>[0]) => handoffLines(handoffs).map(line => line.payload.text);

describe('lines of a handoff', () => {
  it('name who assigned the conversation to whom', () => {
    const texts = textsOf([{ ...handoff, assignedBy: ada }]);

    expect(texts).toEqual([
      'Kitchen handed the conversation over: A complaint',
      'Ada assigned the conversation to Bob',
    ]);
  });

  it('name an automatic assignment', () => {
    const assignedBy = { type: 'system' as const, id: '', name: 'Automatic assignment' };

    expect(textsOf([{ ...handoff, assignedBy }]).at(-1)).toBe('Assigned to Bob automatically');
  });

  it.each([
    ['who assigned themselves', { type: 'member' as const, id: 'bob', name: 'Bob' }],
    ['of a release that did not store the author', undefined],
  ])('name the member %s', (_, assignedBy) => {
    const [, text] = textsOf([{ ...handoff, ...(assignedBy ? { assignedBy } : {}) }]);

    expect(text).toBe('Bob took over');
  });

  it.each([
    ['resolved' as const, 'Bob resolved the conversation'],
    ['handedBack' as const, 'Bob closed the handoff'],
  ])('state the outcome %s', (outcome, text) => {
    const endedBy = { type: 'member' as const, id: 'bob', name: 'Bob' };

    expect(textsOf([{ ...handoff, endedAt: at(5), endedBy, outcome }]).at(-1)).toBe(text);
  });

  it('are sorted by time, across handoffs', () => {
    const later = { ...handoff, id: 'handoff_2', startedAt: at(8), servedAt: at(9) };
    const ended = { ...handoff, endedAt: at(5), endedBy: { type: 'user' as const, id: '', name: '' } };

    expect(textsOf([later, ended])[2]).toBe('The user closed the handoff');
  });
});
