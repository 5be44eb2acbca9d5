import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { DEFAULT_ACCENT, textColorOn } from '../contrast.ts';
import { directionOf, LANGUAGES, type Language } from '../languages.ts';
import type { Options } from '../options.ts';
import type { ChatField, ChatSettings, ChatTheme } from '../package/index.d.ts';
import type { Talk } from '../talk/talk.ts';
import { AroundProvider } from './around.ts';
import { Greeting } from './Greeting.tsx';
import { Launcher } from './Launcher.tsx';
import { Panel } from './Panel.tsx';

interface WidgetProps {
  talk: Talk;
  options: Options;
  language: Language;
  theme: ChatTheme;
  isOpen: boolean;
  isGreetingShown: boolean;
  /** Fields that a guest must see before the conversation starts. */
  fields: readonly ChatField[];
  hasConsented: boolean;
  onFields(values: string[]): void;
  onConsent(isGiven: boolean): void;
  onOpen(isOpen: boolean): void;
  onDismissGreeting(): void;
}

const PHONE = '(max-width: 30rem)';

export function Widget(props: WidgetProps) {
  const { talk, options, language, theme, isOpen, isGreetingShown, onOpen, onDismissGreeting } = props;
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
    () => ({
      words: { ...LANGUAGES[language], ...options.texts },
      language,
      mediaOrigins: options.mediaOrigins,
      avatar: options.avatar,
    }),
    [language, options],
  );
  const { state } = talk;
  return (
    <AroundProvider value={around}>
      <div
        class="root"
        lang={language}
        dir={directionOf(language)}
        data-theme={theme}
        data-position={options.position}
        style={colorsOf(options.content.accent)}
      >
        {isOpen && (
          <Panel
            talk={talk}
            state={state}
            options={options}
            fields={props.fields}
            hasConsented={props.hasConsented}
            onFields={props.onFields}
            onConsent={props.onConsent}
            isWhole={isWhole}
            onClose={() => onOpen(false)}
          />
        )}
        {isGreetingShown && options.greeting && (
          <Greeting
            text={options.greeting}
            onOpen={() => onOpen(true)}
            onDismiss={() => {
              // The button that has the focus is removed.
              launcher.current?.focus();
              onDismissGreeting();
            }}
          />
        )}
        {!(isOpen && isWhole) && (
          <Launcher
            button={launcher}
            isOpen={isOpen}
            unread={state.unread}
            text={options.launcherText}
            icon={options.launcherIcon}
            onPress={() => onOpen(!isOpen)}
          />
        )}
      </div>
    </AroundProvider>
  );
}

const COLOR = /^#[0-9a-f]{6}$/i;

/** Returns the properties of a team's color, which the variables of the page override. */
function colorsOf(accent: ChatSettings['accent']): Record<string, string> {
  const [light, dark] = (['light', 'dark'] as const).map(theme => {
    const color = accent?.[theme];
    return color && COLOR.test(color) ? color : undefined;
  });
  if (!light && !dark) return {};
  const both = [light ?? DEFAULT_ACCENT.light, dark ?? DEFAULT_ACCENT.dark] as const;
  const [onLight, onDark] = both.map(textColorOn);
  return {
    '--set-accent': `light-dark(${both[0]}, ${both[1]})`,
    '--set-on-accent': `light-dark(${onLight}, ${onDark})`,
  };
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
