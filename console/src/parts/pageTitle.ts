/** Title and icon of the browser tab: the page's title, and the number of conversations that need the member. */

import { useEffect } from 'react';
import { shell } from '../messages/en/shell.ts';
import { translator } from '../messages/translate.ts';
import { shownCount } from './shownCount.ts';

const t = translator('shell', shell);

let title = '';
let count = 0;

function show(): void {
  const named = t('pageTitle', { title });
  document.title = count > 0 ? `(${shownCount(count)}) ${named}` : named;
}

export function usePageTitle(next: string): void {
  useEffect(() => {
    title = next;
    show();
  }, [next]);
}

/** The icon of `public/icon.svg` with a dot. */
const WITH_DOT = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b7285"/><path d="M8 9h16v11H15l-5 4v-4H8z" fill="#fff"/><circle cx="24" cy="8" r="7" fill="#e03131" stroke="#fff" stroke-width="2"/></svg>',
)}`;

function showDot(isShown: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!link) return;
  link.dataset.plain ??= link.href;
  link.href = isShown ? WITH_DOT : link.dataset.plain;
}

/** Shows the number in the title of every page, and a dot on the icon. */
export function useTitleCount(next: number): void {
  useEffect(() => {
    count = next;
    show();
    showDot(next > 0);
    return () => {
      count = 0;
      show();
      showDot(false);
    };
  }, [next]);
}
