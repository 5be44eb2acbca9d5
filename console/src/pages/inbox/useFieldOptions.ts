import { type KeyboardEvent, useState } from 'react';

/**
 * State of a list of options that a character opens in a text field: the caret, the active option and the keys. The
 * focus stays in the field.
 */
export function useFieldOptions(character: string) {
  const [caret, setCaret] = useState(0);
  const [isClosed, setClosed] = useState(true);
  const [place, setPlace] = useState(0);
  const close = () => setClosed(true);
  const open = () => setClosed(false);
  const activeOf = (options: readonly unknown[]) => Math.min(place, options.length - 1);
  return {
    caret,
    setCaret,
    isClosed,
    open,
    close,
    activeOf,
    /** Returns false for a key that the field handles. */
    onKeyDown: <Option>(
      event: KeyboardEvent,
      options: readonly Option[],
      choose: (option: Option) => void,
    ): boolean => {
      const active = activeOf(options);
      const option = options[active];
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        const by = event.key === 'ArrowDown' ? 1 : -1;
        if (options.length > 0) setPlace((active + by + options.length) % options.length);
      } else if ((event.key === 'Enter' || event.key === 'Tab') && option) choose(option);
      else if (event.key === 'Escape') close();
      else return false;
      event.preventDefault();
      return true;
    },
    /** Phone keyboards report no keys, so the typed character is detected in the text. */
    onChange: ({ value, selectionStart }: HTMLTextAreaElement, before: string) => {
      setCaret(selectionStart);
      if (value.length > before.length && value[selectionStart - 1] === character) open();
    },
    onSelect: (event: { currentTarget: HTMLTextAreaElement }) => {
      setCaret(event.currentTarget.selectionStart);
      setPlace(0);
    },
  };
}
