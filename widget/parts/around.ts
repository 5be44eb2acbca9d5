/** The context of all parts of the widget. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { LANGUAGES, type Language, type Words } from '../languages.ts';

export interface Around {
  words: Words;
  language: Language;
  mediaOrigins: readonly string[];
  /** URL of the bot's picture. */
  avatar?: string | undefined;
}

const AroundContext = createContext<Around>({ words: LANGUAGES.en, language: 'en', mediaOrigins: [] });
export const AroundProvider = AroundContext.Provider;
export const useAround = (): Around => useContext(AroundContext);
