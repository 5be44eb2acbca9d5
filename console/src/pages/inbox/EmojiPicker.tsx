/** Emoji picker with a search. Its code and its data are files of the console, loaded when it opens. */
import { useComputedColorScheme } from '@mantine/core';
import german from 'emoji-picker-element/i18n/de.js';
import english from 'emoji-picker-element/i18n/en.js';
import Picker from 'emoji-picker-element/picker.js';
import germanData from 'emoji-picker-element-data/de/cldr/data.json?url';
import englishData from 'emoji-picker-element-data/en/emojibase/data.json?url';
import { useEffect, useRef } from 'react';
import { language } from '../../messages/language.ts';
import classes from './Emoji.module.css';

const TEXTS = { en: { i18n: english, dataSource: englishData }, de: { i18n: german, dataSource: germanData } };

export default function EmojiPicker({ onChoose }: { onChoose: (emoji: string) => void }) {
  const place = useRef<HTMLDivElement>(null);
  const choose = useRef(onChoose);
  choose.current = onChoose;
  const scheme = useComputedColorScheme();
  useEffect(() => {
    const picker = new Picker({ locale: language, ...TEXTS[language] });
    picker.className = `${scheme} ${classes.picker}`;
    picker.addEventListener('emoji-click', ({ detail: { unicode } }) => {
      if (unicode) choose.current(unicode);
    });
    place.current?.append(picker);
    // The picker renders its search when the data is known.
    const focusSearch = () => {
      const search = picker.shadowRoot?.querySelector<HTMLInputElement>('input[type=search]');
      search?.focus();
      return search != null;
    };
    const observer = new MutationObserver(() => focusSearch() && observer.disconnect());
    if (!focusSearch() && picker.shadowRoot) observer.observe(picker.shadowRoot, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      picker.remove();
    };
  }, [scheme]);
  return <div ref={place} className={classes.place} />;
}
