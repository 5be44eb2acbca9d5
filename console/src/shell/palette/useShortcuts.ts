/** Keyboard shortcuts. Text fields only pass on the palette's. */
import { type HotkeyItem, useHotkeys, useLocalStorage } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { BOT_PAGES, WORKSPACE_PAGES } from '../pages.ts';
import { useMaybeBotId } from '../useRoute.ts';
import { isSecondKey } from './keySequence.ts';

const PALETTE_KEYS = 'mod+K';
/** A page's first search or filter field. */
const SEARCH_FIELD = 'main [role=search] input, main input[type=search]';
const LIST_LINK = 'a[data-conversation]';

/** Single keys can conflict with speech input, so users can disable them (WCAG 2.1.4). */
export const useSingleKeys = () => useLocalStorage({ key: 'parley-console-keys', defaultValue: true });

export function useShortcuts({ onPalette, onHelp }: { onPalette: () => void; onHelp: () => void }): void {
  const [isOn] = useSingleKeys();
  const navigate = useNavigate();
  const botId = useMaybeBotId();
  const startedMs = useRef<number>(undefined);
  const pages = [
    ...WORKSPACE_PAGES,
    ...(botId
      ? BOT_PAGES.flatMap(group => group.pages.map(page => ({ ...page, path: `/bots/${botId}${page.path}` })))
      : []),
  ];
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
    ...pages.flatMap(({ key, path }): HotkeyItem[] =>
      key
        ? [
            [
              key,
              () => {
                if (isSecondKey(startedMs.current, Date.now())) void navigate({ to: path as string });
                startedMs.current = undefined;
              },
              { preventDefault: false },
            ],
          ]
        : [],
    ),
  ];
  useHotkeys([[PALETTE_KEYS, onPalette]], []);
  useHotkeys(isOn ? single.map(withoutDialogs) : []);
}

/** Dialogs have their own keys. */
const withoutDialogs = ([keys, run, options]: HotkeyItem): HotkeyItem => [
  keys,
  event => {
    if (!document.querySelector('[role=dialog]')) run(event);
  },
  options,
];

function focusSearch(): void {
  document.querySelector<HTMLElement>(SEARCH_FIELD)?.focus();
}

/** Opens the next or previous conversation. */
function step(by: number): void {
  const links = [...document.querySelectorAll<HTMLElement>(LIST_LINK)];
  const here = links.findIndex(link => link.ariaCurrent === 'page');
  const next = links[here === -1 ? 0 : here + by];
  next?.click();
  next?.scrollIntoView({ block: 'nearest' });
}
