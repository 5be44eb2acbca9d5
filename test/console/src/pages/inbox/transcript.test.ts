/** Transcripts of a conversation. */
import { describe, expect, it } from 'vitest';
import { contentOf, fileNameOf, type Transcript } from '#console/src/pages/inbox/transcript.ts';

const HOSTILE = `<img src=x onerror="alert('1')">&`;
const transcript: Transcript = {
  title: HOSTILE,
  conversationId: 'convo_1',
  exportedAt: '2030-01-02T00:00:00.000Z',
  limit: HOSTILE,
  entries: [
    { id: 'm', at: '2030-01-01T10:00:00.000Z', author: HOSTILE, kind: 'message', text: `${HOSTILE}\nline` },
    { id: 'n', at: HOSTILE, author: 'Olivia', kind: 'note', text: 'internal', payload: { text: 'internal' } },
  ],
};
const labels = { note: HOSTILE, language: 'en', formatTime: (at: string) => at };

describe('a transcript', () => {
  it('escapes everything in HTML', () => {
    const html = contentOf(transcript, 'html', labels);

    expect(html).not.toContain('<img');
    expect(html).not.toMatch(/="[^"]*<img|onerror="/);
    expect(html.match(/&lt;img/g)!.length).toBeGreaterThanOrEqual(7);
    expect(html).toContain('default-src &#39;none&#39;');
  });

  it('has the author, time and text of each entry as text, and marks notes', () => {
    const text = contentOf({ ...transcript, title: 'Ada', limit: 'Only the latest' }, 'text', {
      ...labels,
      note: 'note',
    });

    expect(text).toContain('Ada\nOnly the latest\n');
    expect(text).toContain(`Olivia (note)\ninternal\n`);
  });

  it('has all fields as JSON', () => {
    expect(JSON.parse(contentOf(transcript, 'json', labels))).toEqual(transcript);
  });
});

it.each([
  ['Ada Lovelace', 'Ada Lovelace 2030-01-02.txt'],
  ['../a\\b:c?"<>|', 'a b c 2030-01-02.txt'],
  ['\u202egpj', 'gpj 2030-01-02.txt'],
  ['', 'conversation 2030-01-02.txt'],
  ['x'.repeat(200), `${'x'.repeat(80)} 2030-01-02.txt`],
])('names the file of %j', (title, name) => {
  expect(fileNameOf(title, '2030-01-02T00:00:00.000Z', 'text')).toBe(name);
});
