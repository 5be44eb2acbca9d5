import { describe, expect, it } from 'vitest';
import { counted, directionOf, LANGUAGES, languageOf } from '#widget/languages.ts';

describe.each(Object.entries(LANGUAGES))('%s', (language, words) => {
  it('has every phrase, with the same placeholders as English', () => {
    for (const [name, english] of Object.entries(LANGUAGES.en)) {
      const phrase = words[name as keyof typeof words];
      expect(phrase.trim(), name).not.toBe('');
      expect(phrase.match(/\{\w+\}/g), name).toEqual(english.match(/\{\w+\}/g));
    }
  });

  it('is translated', () => {
    if (language === 'en') return;
    const { open, close, connectionLost, conversationEnded, unsupportedMessage } = LANGUAGES.en;
    expect([
      words.open,
      words.close,
      words.connectionLost,
      words.conversationEnded,
      words.unsupportedMessage,
    ]).not.toEqual([open, close, connectionLost, conversationEnded, unsupportedMessage]);
    expect([words.connectionLost, words.conversationEnded, words.startNewConversation]).not.toContain(connectionLost);
  });
});

it('selects the first supported language, or English', () => {
  expect(languageOf([undefined, '', 'nl', 'pt-BR', 'de'])).toBe('pt');
  expect(languageOf(['DE-at'])).toBe('de');
  expect(languageOf(['constructor', 'tlh'])).toBe('en');
});

it('has a direction and plural forms per language', () => {
  expect([directionOf('ar'), directionOf('fr')]).toEqual(['rtl', 'ltr']);
  expect(counted(LANGUAGES.de.unreadMany, 3)).toBe('3 ungelesene Nachrichten');
});
