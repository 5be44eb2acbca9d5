/** Filters and open rows in the query of the URL, so that a reload, a link and Back restore them. */
import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { type Query, textOf, withChanges } from './addressQuery.ts';

const TYPING_MS = 300;

interface Change {
  /** True if Back undoes the change. */
  isStep?: boolean;
}

/** Returns the query of the URL, and a function that changes some of its values. */
export function useAddress() {
  const query = useSearch({ strict: false }) as Query;
  const navigate = useNavigate();
  const change = (changes: Record<string, string>, { isStep = false }: Change = {}) =>
    void navigate({
      to: '.',
      search: ((before: Query) => withChanges(before, changes)) as never,
      replace: !isStep,
      resetScroll: false,
    });
  return { query, change };
}

/** Returns one of the allowed values. The first is the default and is omitted from the URL. */
export function useAddressChoice<Value extends string>(
  name: string,
  allowed: readonly Value[],
): [Value, (value: string) => void] {
  const { query, change } = useAddress();
  const fallback = allowed[0]!;
  const value = allowed.find(each => each === textOf(query, name)) ?? fallback;
  return [value, chosen => change({ [name]: chosen === fallback ? '' : chosen })];
}

/** Returns the text of a field, which the URL receives after a pause in typing: `wanted`. */
export function useAddressText(name: string) {
  const { query, change } = useAddress();
  const stored = textOf(query, name);
  const [text, setText] = useState(stored);
  const known = useRef({ seen: stored, written: stored });
  const write = useDebouncedCallback((value: string) => {
    known.current.written = value;
    change({ [name]: value });
  }, TYPING_MS);
  // The query can change by Back or a link, while the field keeps what was typed since the last write.
  if (known.current.seen !== stored) {
    known.current.seen = stored;
    if (known.current.written !== stored) {
      known.current.written = stored;
      setText(stored);
    }
  }
  return {
    text,
    setText: (value: string) => {
      setText(value);
      write(value.trim());
    },
    wanted: stored,
  };
}
