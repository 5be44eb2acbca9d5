import { useCombobox } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { openOverlay } from '../../parts/openOverlays.ts';

interface Menu {
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
  /** Number of loaded options. They may arrive after the first letters of a search. */
  loaded: number;
}

/** State of a searchable menu. Enter selects the first match. */
export function useOptionSearch({ isOpen, setOpen, loaded }: Menu) {
  const [text, setText] = useState('');
  const combobox = useCombobox({ opened: isOpen, onOpenedChange: setOpen });
  const close = useEffectEvent(() => setOpen(false));
  // In a drawer, Escape closes only the menu.
  useEffect(() => (isOpen ? openOverlay(close) : undefined), [isOpen]);
  const { focusSearchInput, selectFirstOption, resetSelectedOption } = combobox;
  useEffect(() => {
    if (isOpen) focusSearchInput();
    else setText('');
  }, [isOpen, focusSearchInput]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: selects again for another search, and when options arrive
  useEffect(() => {
    if (text === '') resetSelectedOption();
    else selectFirstOption();
  }, [text, loaded]);
  return { combobox, text, setText, wanted: text.trim().toLowerCase() };
}
