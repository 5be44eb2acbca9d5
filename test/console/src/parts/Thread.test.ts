/** A thread as HTML. */
import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Thread, type ThreadMessage } from '#console/src/parts/Thread.tsx';

const said = (id: string, change: Partial<ThreadMessage> = {}): ThreadMessage => ({
  id,
  createdAt: '2030-01-01T10:00:00.000Z',
  userId: 'user_1',
  type: 'text',
  payload: { text: id },
  ...change,
});
const shown = (...messages: ThreadMessage[]) => {
  const props = { messages, isOwn: (userId: string) => userId === 'bot', nameOf: (userId: string) => `<${userId}>` };
  return renderToStaticMarkup(createElement(MantineProvider, null, createElement(Thread, props)));
};

it('renders user names and texts as plain text', () => {
  const html = shown(said('<img src=x onerror=alert(1)>'));

  expect(html).not.toContain('<img');
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(html).toContain('&lt;user_1&gt;');
});

it('marks notes, and states who can see them', () => {
  const html = shown(said('message', { userId: 'bot' }), said('note', { userId: 'bot', variant: 'note' }));

  expect(html.match(/data-note="true"/g)).toHaveLength(1);
  expect(html).toContain('Private note');
  expect(html.match(/data-group/g)).toHaveLength(2);
});

it('shows handoff changes as lines without an author', () => {
  const html = shown(said('Ada took over', { userId: '', variant: 'line' }));

  expect(html).toContain('Ada took over');
  expect(html).not.toContain('data-message');
});
