import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { SavedReply } from '../../api/contract.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import classes from './Inbox.module.css';

const t = translator('inbox', inbox);

interface SavedReplyOptionsProps {
  id: string;
  botId: string;
  options: readonly SavedReply[];
  /** Index of the option that Enter inserts. */
  active: number;
  isLoading: boolean;
  /** True if the bot has no saved replies at all. */
  isEmpty: boolean;
  onChoose: (reply: SavedReply) => void;
}

export function SavedReplyOptions({
  id,
  botId,
  options,
  active,
  isLoading,
  isEmpty,
  onChoose,
}: SavedReplyOptionsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[id="${id}-${active}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  return (
    <div className={classes.options} ref={list}>
      <div id={id} role="listbox" aria-label={t('savedReplies')}>
        {options.map((reply, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field passes the keys on
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
          <div
            key={reply.id}
            id={`${id}-${i}`}
            className={classes.option}
            role="option"
            aria-selected={i === active}
            onMouseDown={event => event.preventDefault()}
            onClick={() => onChoose(reply)}
          >
            <span className={classes.optionName}>{reply.name}</span>
            <span className={classes.optionText} dir="auto">
              {reply.text}
            </span>
          </div>
        ))}
      </div>
      {options.length === 0 && (
        <div className={classes.noOption}>{t(isLoading ? 'loadingReplies' : isEmpty ? 'noRepliesYet' : 'noReply')}</div>
      )}
      <div className={classes.noOption}>
        <Anchor
          component={Link}
          size="xs"
          to={`/bots/${botId}/replies` as string}
          tabIndex={-1}
          // The list closes when the field loses the focus.
          onMouseDown={event => event.preventDefault()}
        >
          {t('manageReplies')}
        </Anchor>
      </div>
    </div>
  );
}
