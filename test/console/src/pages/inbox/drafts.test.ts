import { beforeEach, describe, expect, it, vi } from 'vitest';

const stored = new Map<string, string>();
vi.stubGlobal('sessionStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
});

const { draftOf, restoreDraft, setDraft, setMode } = await import('#console/src/pages/inbox/drafts.ts');

describe('drafts of a conversation', () => {
  beforeEach(() => stored.clear());

  it('never carries the text of a note into a reply, or back', () => {
    setDraft('ada', { text: 'She is a reseller.', isNote: true });
    setMode('ada', false);

    expect(draftOf('ada')).toEqual({ text: '', isNote: false });

    setDraft('ada', { text: 'Tomorrow.', isNote: false });
    setMode('ada', true);

    expect(draftOf('ada')).toEqual({ text: 'She is a reseller.', isNote: true });
    setMode('ada', false);
    expect(draftOf('ada')).toEqual({ text: 'Tomorrow.', isNote: false });
  });

  it('restores a text that was not sent to its own mode', () => {
    setDraft('ada', { text: 'Half a note', isNote: true });

    restoreDraft('ada', { text: 'A reply', isNote: false });

    expect(draftOf('ada')).toEqual({ text: 'Half a note', isNote: true });
    setMode('ada', false);
    expect(draftOf('ada')).toEqual({ text: 'A reply', isNote: false });

    restoreDraft('ada', { text: 'An earlier reply', isNote: false });
    expect(draftOf('ada').text).toBe('An earlier reply\nA reply');
    restoreDraft('grace', { text: 'A note', isNote: true });
    expect(draftOf('grace')).toEqual({ text: 'A note', isNote: true });
  });

  it('stores nothing for a conversation without texts', () => {
    setDraft('ada', { text: 'A', isNote: true });
    setDraft('ada', { text: '', isNote: true });
    setMode('ada', false);

    expect([...stored.values()]).toEqual(['{}']);
  });
});
