/** Finds a text in the messages of the open conversation. Earlier messages are loaded first. */
import { ActionIcon, CloseButton, Loader, TextInput } from '@mantine/core';
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react';
import { IconChevronDown, IconChevronUp } from '../../icons/tabler.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { findIn, highlight } from './find.ts';
import classes from './Inbox.module.css';
import { useThread } from './useThread.ts';

const t = translator('inbox', inbox);

/** Maximum number of messages to search. */
const MOST = 2_000;

interface FindBarProps {
  botId: string;
  id: string;
  thread: RefObject<HTMLDivElement | null>;
  /** Text that a search found in a message. */
  initial?: string | undefined;
  onClose: () => void;
}

export function FindBar({ botId, id, thread, initial = '', onClose }: FindBarProps) {
  const [text, setText] = useState(initial);
  const [place, setPlace] = useState(0);
  const [found, setFound] = useState<Element[]>([]);
  const list = useThread(botId, id);
  const isSearching = text !== '' && list.hasMore && list.items.length < MOST;
  const { loadMore, isLoadingMore } = list;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each loaded page leads to the next
  useEffect(() => {
    if (isSearching && !isLoadingMore) loadMore();
  }, [isSearching, isLoadingMore, list.items.length]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: further messages may contain the text
  useEffect(() => {
    const ranges = thread.current ? findIn(thread.current, text) : [];
    setFound(highlight(ranges));
    return () => void highlight([]);
  }, [text, list.items.length, thread]);
  // Starts at the newest match, which is the last in the document.
  const current = found.at(-1 - place);
  useEffect(() => {
    current?.setAttribute('data-found', '');
    current?.scrollIntoView({ block: 'center' });
    return () => current?.removeAttribute('data-found');
  }, [current]);
  const step = (by: number) => setPlace(found.length === 0 ? 0 : (place + by + found.length) % found.length);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
  };
  return (
    <div className={classes.find}>
      <TextInput
        flex={1}
        // A search keeps the focus, so that the next result can be opened.
        autoFocus={initial === ''}
        aria-label={t('findText')}
        placeholder={t('findText')}
        value={text}
        onChange={event => {
          setText(event.currentTarget.value);
          setPlace(0);
        }}
        onKeyDown={onKeyDown}
        maxLength={200}
        rightSection={isSearching ? <Loader size={14} /> : undefined}
      />
      <span className={classes.found} role="status">
        {text !== '' &&
          (found.length > 0
            ? t('foundAt', { place: place + 1, count: found.length })
            : t(isSearching ? 'searching' : 'notFound'))}
      </span>
      <ActionIcon variant="subtle" color="gray" aria-label={t('earlierMatch')} onClick={() => step(1)}>
        <IconChevronUp size={16} />
      </ActionIcon>
      <ActionIcon variant="subtle" color="gray" aria-label={t('laterMatch')} onClick={() => step(-1)}>
        <IconChevronDown size={16} />
      </ActionIcon>
      <CloseButton aria-label={t('closeFind')} onClick={onClose} />
    </div>
  );
}
