/** Keyboard shortcuts. In text fields and anywhere in a form, only the palette's shortcut works. */
import { type HotkeyItem, useHotkeys, useLocalStorage } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { pageActions } from '../../navigation/pageActions.ts';
import { usePages } from '../../navigation/usePages.ts';
import { useMaybeBotId } from '../../navigation/useRoute.ts';
import { isSecondKey } from './keySequence.ts';
import { continuesText, observeTyping } from './typedKeys.ts';

const PALETTE_KEYS = 'mod+K';
/** A page's first search or filter field. */
const SEARCH_FIELD = 'main [role=search] input, main input[type=search]';
const LIST_LINK = 'a[data-conversation]';
/** Keys of pages after `g`, and of actions of the open page. */
const LETTERS = [...'abcdefhilmnoprstuwxyz'];

/** Single keys can conflict with speech input, so users can disable them (WCAG 2.1.4). */
export const useSingleKeys = () => useLocalStorage({ key: 'parley-console-keys', defaultValue: true });

export function useShortcuts({ onPalette, onHelp }: { onPalette: () => void; onHelp: () => void }): void {
  const [isOn] = useSingleKeys();
  const navigate = useNavigate();
  const botId = useMaybeBotId();
  const pages = usePages();
  const startedMs = useRef<number>(undefined);
  const paths = new Map([
    ...pages.workspace.map(({ key, path }) => [key, path] as const),
    ...(botId ? pages.bot.flatMap(group => group.pages) : []).map(
      ({ key, path }) => [key, `/bots/${botId}${path}`] as const,
    ),
  ]);
  const onLetter = (letter: string) => {
    const isSecond = isSecondKey(startedMs.current, Date.now());
    startedMs.current = undefined;
    if (!isSecond)
      return pageActions()
        .find(({ key }) => key === letter)
        ?.run();
    const path = paths.get(letter);
    if (path !== undefined) void navigate({ to: path as string });
  };
  const single: HotkeyItem[] = [
    [
      'g',
      () => {
        startedMs.current = Date.now();
      },
      { preventDefault: false },
    ],
    // Accepted with and without Shift, because keyboard layouts differ.
    ...['?', 'shift+?'].map((keys): HotkeyItem => [keys, onHelp]),
    ...['/', 'shift+/'].map((keys): HotkeyItem => [keys, focusSearch]),
    ['j', () => step(1)],
    ['k', () => step(-1)],
    ...LETTERS.map((letter): HotkeyItem => [letter, () => onLetter(letter)]),
  ];
  useEffect(observeTyping, []);
  useHotkeys([[PALETTE_KEYS, onPalette]], []);
  useHotkeys(isOn ? single.map(outsideOwnKeys) : []);
}

/**
 * Dialogs and menus have their own keys. On the buttons of a form, a letter is most likely meant for its field: it must
 * not close the conversation whose note the member wants to write.
 */
const outsideOwnKeys = ([keys, run, options = {}]: HotkeyItem): HotkeyItem => [
  keys,
  event => {
    const isInForm = event.target instanceof Element && event.target.closest('form') !== null;
    if (isInForm || continuesText(event) || document.querySelector('[role=dialog], [role=menu]')) return;
    if (options.preventDefault !== false) event.preventDefault();
    run(event);
  },
  { ...options, preventDefault: false },
];

function focusSearch(): void {
  document.querySelector<HTMLElement>(SEARCH_FIELD)?.focus();
}

let stepped: HTMLElement | undefined;

/** Results of a search may contain the open conversation twice. The link that was used last is its place. */
function step(by: number): void {
  const links = [...document.querySelectorAll<HTMLElement>(LIST_LINK)];
  const isOpen = (link: HTMLElement | undefined) => link?.ariaCurrent === 'page';
  const used =
    links.find(link => link === document.activeElement && isOpen(link)) ?? links.find(link => link === stepped);
  const here = used && isOpen(used) ? links.indexOf(used) : links.findIndex(isOpen);
  const next = links[here === -1 ? 0 : here + by];
  stepped = next;
  // The focus of a link that was clicked would otherwise remain its place.
  if (links.includes(document.activeElement as HTMLElement)) next?.focus();
  next?.click();
  next?.scrollIntoView({ block: 'nearest' });
}
