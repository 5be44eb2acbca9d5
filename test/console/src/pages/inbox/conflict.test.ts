/** Changes that another member made first. */
import { expect, it } from 'vitest';
import { CallError } from '#console/src/api/parley.ts';
import { conflictOf, conflictText } from '#console/src/pages/inbox/conflict.ts';

const refused = (metadata: object, type = 'RelationConflict') => new CallError(409, { type, message: 'No', metadata });

it('names the assignee of a conversation', () => {
  const conflict = conflictOf(refused({ handoffId: 'h', member: { id: 'a', name: 'Ada' } }))!;

  expect(conflictText(conflict)).toBe('Ada took this conversation first');
});

it('names who ended the handoff', () => {
  const conflict = conflictOf(refused({ handoffId: 'h', endedBy: { type: 'member', id: 'a', name: 'Ada' } }))!;

  expect(conflictText(conflict)).toBe('Ada has already closed this conversation');
});

it('names no member when the handoff has returned to the queue', () => {
  expect(conflictText(conflictOf(refused({ handoffId: 'h' }))!)).toMatch(/has changed/);
});

it('returns undefined for other errors', () => {
  expect([
    conflictOf(refused({ handoffId: 'h' }, 'Forbidden')),
    conflictOf(refused({})),
    conflictOf(new Error('x')),
    conflictOf(undefined),
  ]).toEqual([undefined, undefined, undefined, undefined]);
});
