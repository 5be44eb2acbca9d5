import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useInboxSearch } from '../../navigation/inboxAddress.ts';

const DEBOUNCE_MS = 300;

/**
 * Keeps the text of the search in the address, so that a link and a reload show the same results.
 * @returns the typed text, the text to search, and a setter
 */
export function useSearchText(): [text: string, wanted: string, setText: (text: string) => void] {
  const { q = '' } = useInboxSearch();
  const navigate = useNavigate();
  const [text, setText] = useState(q);
  const [debounced] = useDebouncedValue(text, DEBOUNCE_MS);
  const written = useRef(q);
  // An address that was changed elsewhere, such as by the back button, replaces the text.
  useEffect(() => {
    if (q === written.current) return;
    written.current = q;
    setText(q);
  }, [q]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing changes the address
  useEffect(() => {
    if (debounced === written.current || debounced !== text) return;
    written.current = debounced;
    const search = (before: Record<string, unknown>) => ({ ...before, q: debounced === '' ? undefined : debounced });
    void navigate({ to: '.', search: search as never, replace: true });
  }, [debounced]);
  // Clearing restores the list immediately.
  return [text, text === '' ? '' : debounced, setText];
}
