/** The list of saved replies that a slash in the composer opens. The focus stays in the field. */
import { VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, type RefObject, useId, useRef } from 'react';
import type { SavedReply } from '../../api/contract.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { filled, type VariableValues, variablesIn } from '../../parts/replyVariables.ts';
import type { Draft } from './drafts.ts';
import { SavedReplyOptions } from './SavedReplyOptions.tsx';
import { useFieldOptions } from './useFieldOptions.ts';
import { matching, slashBefore, useSavedReplies } from './useSavedReplies.ts';

const t = translator('inbox', inbox);

export function useReplyOptions(
  botId: string,
  field: RefObject<HTMLTextAreaElement | null>,
  draft: Draft,
  values: VariableValues,
  onChange: (draft: Draft) => void,
) {
  const listId = useId();
  const { caret, setCaret, isClosed, open: openList, close, activeOf, ...keys } = useFieldOptions('/');
  const slash = isClosed ? undefined : slashBefore(draft.text, caret);
  const { data: replies = [], isPending } = useSavedReplies(botId, slash !== undefined);
  const options = slash ? matching(replies, slash.query) : [];
  const active = activeOf(options);
  /** True while the slash is the one that the button inserted. Escape removes it. */
  const inserted = useRef(false);
  const moveTo = (text: string, position: number, end = position) => {
    onChange({ ...draft, text });
    // Runs after the text is rendered.
    requestAnimationFrame(() => field.current?.setSelectionRange(position, end));
  };
  const choose = ({ text }: SavedReply) => {
    if (!slash) return;
    const before = draft.text.slice(0, slash.start);
    const reply = filled(text, values);
    const whole = before + reply + draft.text.slice(caret);
    // Typing replaces the first variable without a value.
    const [open] = variablesIn(reply);
    if (open) moveTo(whole, before.length + open.start, before.length + open.end);
    else moveTo(whole, before.length + reply.length);
    close();
  };
  return {
    onKeyDown: (event: KeyboardEvent): boolean => {
      if (!slash) return false;
      // Enter would send the text after the slash to the customer.
      if (event.key === 'Enter' && !event.shiftKey && options.length === 0) {
        event.preventDefault();
        return true;
      }
      if (event.key === 'Escape' && inserted.current && slash.query === '') {
        moveTo(draft.text.slice(0, slash.start) + draft.text.slice(caret), slash.start);
      }
      return keys.onKeyDown(event, options, choose);
    },
    onChange: (changed: HTMLTextAreaElement) => {
      inserted.current = false;
      keys.onChange(changed, draft.text);
    },
    onSelect: keys.onSelect,
    close,
    /** Inserts a text at the caret. */
    insert: (text: string) => {
      const start = draft.text.slice(0, caret) + text;
      field.current?.focus();
      setCaret(start.length);
      moveTo(start + draft.text.slice(caret), start.length);
    },
    /** Inserts a slash, as if typed. */
    open: () => {
      const before = draft.text.slice(0, caret);
      const start = `${before}${before === '' || /\s$/.test(before) ? '' : ' '}/`;
      field.current?.focus();
      setCaret(start.length);
      openList();
      inserted.current = true;
      moveTo(start + draft.text.slice(caret), start.length);
    },
    fieldProps: {
      'aria-autocomplete': 'list' as const,
      'aria-haspopup': 'listbox' as const,
      ...(slash ? { 'aria-controls': listId } : {}),
      ...(slash && options.length > 0 ? { 'aria-activedescendant': `${listId}-${active}` } : {}),
    },
    list: slash && (
      <>
        <SavedReplyOptions
          id={listId}
          botId={botId}
          options={options}
          active={active}
          onChoose={choose}
          isLoading={isPending}
          isEmpty={replies.length === 0}
        />
        <VisuallyHidden role="status">{t('replyCount', { count: options.length })}</VisuallyHidden>
      </>
    ),
  };
}
