import { h } from 'preact';
import { describe, expect, it } from 'vitest';
import { Messages } from '#widget/parts/Messages.tsx';
import { ALONE } from '#widget/talk/company.ts';
import type { TalkState } from '#widget/talk/talk.ts';
import { type Shown, shown } from './shown.ts';

const people = new Map([['ada', { name: 'Ada', pictureUrl: undefined }]]);

type Said = [userId: string, text: string];

const read = (...said: Said[]): string => readState({}, ...said);

const readState = (changes: Partial<TalkState>, ...said: Said[]): string =>
  showState(changes, ...said).text.replaceAll(/\d+\/\d+\/\d+, \d+:\d+:\d+\s[AP]M/g, ' | ');

function showState(changes: Partial<TalkState>, ...said: Said[]): Shown {
  const messages = said.map(([userId, text], i) => ({
    id: `msg_${i}`,
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
    conversationId: 'c',
    userId,
    payload: { type: 'text', text },
  }));
  const state: TalkState = {
    ...ALONE,
    phase: 'ready',
    connection: 'live',
    userId: 'me',
    messages: messages as TalkState['messages'],
    waiting: [],
    hasEarlier: false,
    isOtherTyping: false,
    unread: 0,
    startedEmpty: false,
    people,
    failedIds: [],
    replies: [],
    streamIds: new Map(),
    ...changes,
  };
  const nothing = () => {};
  const handlers = { onAnswer: nothing, onRetry: nothing, onAgain: nothing, onEarlier: async () => {} };
  return shown(h(Messages, { state, ...handlers }));
}

describe('the messages of a conversation', () => {
  it('names a person once above their consecutive messages, and neither the bot nor the visitor', () => {
    const text = read(['me', 'Hello?'], ['bot', 'Hi.'], ['ada', 'I am Ada.'], ['ada', 'I help.'], ['bot', 'Bye.']);

    expect(text.split(' | ')).toEqual([
      'You: Hello?',
      'Answer: Hi.',
      'AAdaI am Ada.',
      'Ada: I help.',
      'Answer: Bye.',
      '',
    ]);
  });

  it.each([
    [{}, 'You: One | You: Two |  · Sent'],
    [{ readId: 'msg_0' }, 'You: One | You: Two |  · Sent'],
    [{ readId: 'msg_1' }, 'You: One | You: Two |  · Read'],
    [{ failedIds: ['msg_0'] }, 'You: One | This message could not be processed. Send againYou: Two |  · Sent'],
    [{ failedIds: ['msg_1'] }, 'You: One | You: Two | This message could not be processed. Send again'],
    [
      { waiting: [{ key: 'k', payload: { type: 'text', text: 'Three' }, saidMs: 0 }] },
      'You: One | You: Two | You: ThreeSending …',
    ],
  ] as [Partial<TalkState>, string][])(
    'shows the status of the last own message and of failed messages: %o',
    (changes, expected) => {
      expect(readState(changes, ['me', 'One'], ['me', 'Two'])).toBe(expected);
    },
  );

  it('shows a reply that grows as Markdown after the messages, hidden from assistive technology', () => {
    const reply = { streamId: 's', userId: 'bot', createdAt: '2026-01-01T00:00:00Z', text: 'Two **bo' };

    const made = showState({ replies: [reply] }, ['me', 'One']);

    const messages = made.attributes.filter(each => 'data-message' in each);
    expect(messages.map(each => [each['data-message'], 'inert' in each])).toEqual([
      ['msg_0', false],
      ['s', true],
    ]);
    expect(made.text).toMatch(/One.*Two bo/);
    expect(made.text).not.toContain('Sent');
    expect(made.elements).toContain('strong');
  });
});
