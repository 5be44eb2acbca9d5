/** Unsent texts of the composer: a reply and a note per conversation. */
import { beforeEach, expect, it, vi } from 'vitest';
import { draftOf, restoreDraft, setDraft, setMode } from '#console/src/pages/inbox/drafts.ts';

const reply = (text: string) => ({ text, isNote: false });
const note = (text: string) => ({ text, isNote: true });

beforeEach(() => {
  const items = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  });
});

it('keeps the reply and the note of a conversation apart', () => {
  setDraft('c', reply('Dear Ada'));

  setMode('c', true);
  const begun = draftOf('c');
  setDraft('c', note('A reseller'));
  setMode('c', false);

  expect(begun).toEqual(note(''));
  expect(draftOf('c')).toEqual(reply('Dear Ada'));
  setMode('c', true);
  expect(draftOf('c')).toEqual(note('A reseller'));
});

it('ignores a draft of an earlier console, which did not tell replies from notes', () => {
  sessionStorage.setItem('parley-console-drafts', JSON.stringify({ c: note('A reseller') }));

  expect(draftOf('c')).toEqual(reply(''));
});

it('keeps the note when the reply is sent', () => {
  setDraft('c', note('A reseller'));
  setDraft('c', reply('Dear Ada'));

  setDraft('c', reply(''));
  setMode('c', true);

  expect(draftOf('c')).toEqual(note('A reseller'));
});

it('restores a failed text before a newer one of its mode, and leaves the other text and the mode', () => {
  setDraft('c', reply('Newer'));
  setDraft('c', note('A reseller'));

  restoreDraft('c', reply('Failed'));

  expect(draftOf('c')).toEqual(note('A reseller'));
  setMode('c', false);
  expect(draftOf('c')).toEqual(reply('Failed\nNewer'));
});

it('shows a failed text if the member has started no other', () => {
  setMode('c', true);

  restoreDraft('c', reply('Failed'));

  expect(draftOf('c')).toEqual(reply('Failed'));
});
