import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { directionOf, LANGUAGES, type Language } from '../languages.ts';
import type { Options, Theme } from '../options.ts';
import type { Talk } from '../talk/talk.ts';
import { AroundProvider } from './around.ts';
import { Launcher } from './Launcher.tsx';
import { Panel } from './Panel.tsx';

interface WidgetProps {
  talk: Talk;
  options: Options;
  language: Language;
  theme: Theme;
  isOpen: boolean;
  onOpen(isOpen: boolean): void;
}

const PHONE = '(max-width: 30rem)';

export function Widget({ talk, options, language, theme, isOpen, onOpen }: WidgetProps) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => talk.watch(() => redraw(undefined)), [talk]);
  const isWhole = useMedia(PHONE);
  const launcher = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpen);
  // Runs before the next frame, so that no keystroke is lost.
  useLayoutEffect(() => {
    // Restores the focus to the launcher.
    if (wasOpen.current && !isOpen) launcher.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const around = useMemo(
    () => ({ words: LANGUAGES[language], language, mediaOrigins: options.mediaOrigins }),
    [language, options.mediaOrigins],
  );
  const { state } = talk;
  return (
    <AroundProvider value={around}>
      <div class="root" lang={language} dir={directionOf(language)} data-theme={theme} data-position={options.position}>
        {isOpen && (
          <Panel
            talk={talk}
            state={state}
            title={options.title}
            hasUploads={options.uploads}
            isWhole={isWhole}
            onClose={() => onOpen(false)}
          />
        )}
        {!(isOpen && isWhole) && (
          <Launcher button={launcher} isOpen={isOpen} unread={state.unread} onPress={() => onOpen(!isOpen)} />
        )}
      </div>
    </AroundProvider>
  );
}

function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const note = () => setMatches(list.matches);
    list.addEventListener('change', note);
    return () => list.removeEventListener('change', note);
  }, [query]);
  return matches;
}
