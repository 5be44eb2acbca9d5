/** Writes replies and notes. A slash inserts a saved reply. */
import { ActionIcon, Button, Textarea, Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, type Ref, useId, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Handoff, SavedReply } from '../../api/contract.ts';
import { IconMessage2Bolt, IconSend2 } from '../../icons/tabler.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { type Draft, draftOf, restoreDraft, setDraft, useDraft } from './drafts.ts';
import classes from './Inbox.module.css';
import { SavedReplyOptions } from './SavedReplyOptions.tsx';
import { withdrawUndo } from './undo.ts';
import type { HandoffActions } from './useHandoffActions.ts';
import { outbox } from './useOutbox.ts';
import { matching, slashBefore, useSavedReplies } from './useSavedReplies.ts';
import { useSend } from './useSend.ts';
import { useCaller } from './useTeam.ts';
import { useTyping } from './useTyping.ts';

const t = translator('inbox', inbox);

/** Limit of the API. */
const MOST_LETTERS = 10_000;

type Mode = 'reply' | 'note';

export interface ComposerHandle {
  /** Without a mode, a text that is being written keeps its mode. */
  focus(mode?: Mode): void;
}

interface ComposerProps {
  botId: string;
  conversationId: string;
  /** The open handoff. */
  handoff: Handoff | undefined;
  actions: HandoffActions;
  ref: Ref<ComposerHandle>;
}

/** Options of the send button. A reply to an unassigned conversation assigns it to the member first. */
function useSending({ botId, conversationId, handoff, actions }: Omit<ComposerProps, 'ref'>) {
  const sendOutgoing = useSend(botId);
  const { ownId } = useCaller();
  const isMine = handoff?.member !== undefined && handoff.member.id === ownId;
  return {
    isMine,
    /** True while another member is assigned. */
    isBlocked: handoff?.status === 'served' && !isMine,
    /** @returns false if another member took over first */
    send: async (draft: Draft): Promise<boolean> => {
      if (draft.isNote) {
        outbox.add(conversationId, draft, sendOutgoing);
        return true;
      }
      // The customer receives the reply, so the member stays assigned.
      if (!actions.isClosing) withdrawUndo();
      const handoffId = isMine ? handoff.id : (await actions.takeOverToReply())?.id;
      if (handoffId === undefined) return false;
      outbox.add(conversationId, { ...draft, handoffId }, sendOutgoing);
      return true;
    },
  };
}

export function Composer({ ref, ...props }: ComposerProps) {
  const { botId, conversationId, handoff } = props;
  const draft = useDraft(conversationId);
  const field = useRef<HTMLTextAreaElement>(null);
  const { isMine, isBlocked, send } = useSending(props);
  const { isNote, text } = draft;
  const typing = useTyping(botId, isMine && !isNote ? handoff?.id : undefined);
  const replies = useReplyOptions(botId, field, draft, changed => setDraft(conversationId, changed));
  const change = (changed: Partial<Draft>) => setDraft(conversationId, { ...draft, ...changed });
  const replyTab = useRef<HTMLButtonElement>(null);
  const focus = (mode: Mode) => {
    // A reply field that is disabled is enabled by the mode, before it can have the focus.
    flushSync(() => setDraft(conversationId, { ...draftOf(conversationId), isNote: mode === 'note' }));
    (field.current?.disabled ? replyTab : field).current?.focus();
  };
  useImperativeHandle(ref, () => ({
    focus: (mode = draftOf(conversationId).text !== '' && draftOf(conversationId).isNote ? 'note' : 'reply') =>
      focus(mode),
  }));
  const isDisabled = isBlocked && !isNote;
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === '' || isDisabled) return;
    typing.stop();
    setDraft(conversationId, { text: '', isNote });
    if (!(await send(draft))) restoreDraft(conversationId, draft);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (replies.onKeyDown(event)) return;
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    void submit();
  };
  return (
    <form className={classes.composer} onSubmit={event => void submit(event)} onKeyDown={leaveOnEscape}>
      {replies.list}
      <div className={classes.box} data-note={isNote}>
        <div className={classes.tabs}>
          <Tab ref={replyTab} isOn={!isNote} onClick={() => focus('reply')} label={t('reply')} />
          <Tab isOn={isNote} onClick={() => focus('note')} label={t('note')} />
        </div>
        <Textarea
          ref={field}
          variant="unstyled"
          dir="auto"
          px={12}
          aria-label={t(isNote ? 'noteText' : 'replyText')}
          placeholder={placeholderOf(isNote, isDisabled, isMine, handoff)}
          autosize
          minRows={2}
          maxRows={10}
          maxLength={MOST_LETTERS}
          disabled={isDisabled}
          value={text}
          {...replies.fieldProps}
          onChange={event => {
            change({ text: event.currentTarget.value });
            replies.onChange(event.currentTarget);
            if (event.currentTarget.value !== '') typing.type();
          }}
          onSelect={replies.onSelect}
          onKeyDown={onKeyDown}
          onBlur={() => {
            typing.stop();
            replies.close();
          }}
        />
        <div className={classes.foot}>
          <Tooltip label={t('savedReplies')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('savedReplies')}
              disabled={isDisabled}
              onMouseDown={event => event.preventDefault()}
              onClick={replies.open}
            >
              <IconMessage2Bolt size={16} />
            </ActionIcon>
          </Tooltip>
          <span className={classes.hint}>{t('hint')}</span>
          <Button
            type="submit"
            size="xs"
            {...(isNote ? { color: 'yellow.9' } : {})}
            disabled={isDisabled || text.trim() === ''}
            loading={props.actions.isBusy && !isNote}
            rightSection={<IconSend2 size={14} aria-hidden />}
          >
            {sendLabel(isNote, isMine, isBlocked)}
          </Button>
        </div>
      </div>
    </form>
  );
}

function placeholderOf(isNote: boolean, isDisabled: boolean, isMine: boolean, handoff: Handoff | undefined): string {
  if (isNote) return t('notePlaceholder');
  if (isDisabled) return t('assignedPlaceholder', { name: handoff?.member?.name ?? '' });
  return t(isMine ? 'replyPlaceholder' : 'takePlaceholder');
}

function sendLabel(isNote: boolean, isMine: boolean, isBlocked: boolean): string {
  if (isNote) return t('addNote');
  return t(isMine || isBlocked ? 'send' : 'takeAndSend');
}

interface TabProps {
  ref?: Ref<HTMLButtonElement>;
  isOn: boolean;
  onClick: () => void;
  label: string;
}

const Tab = ({ ref, isOn, onClick, label }: TabProps) => (
  <UnstyledButton ref={ref} className={classes.tab} aria-pressed={isOn} onClick={onClick}>
    {label}
  </UnstyledButton>
);

/** Returns to the shortcuts, which do not act in a form. A list that Escape closed has handled the key. */
function leaveOnEscape(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Escape' || event.defaultPrevented) return;
  if (event.target instanceof HTMLElement) event.target.blur();
}

/** The list of saved replies that a slash opens. The focus stays in the field. */
function useReplyOptions(
  botId: string,
  field: React.RefObject<HTMLTextAreaElement | null>,
  draft: Draft,
  onChange: (draft: Draft) => void,
) {
  const listId = useId();
  const [caret, setCaret] = useState(0);
  const [isClosed, setClosed] = useState(true);
  const [place, setPlace] = useState(0);
  const slash = isClosed ? undefined : slashBefore(draft.text, caret);
  const { data: replies = [], isPending } = useSavedReplies(botId, slash !== undefined);
  const options = slash ? matching(replies, slash.query) : [];
  const active = Math.min(place, options.length - 1);
  const moveTo = (text: string, position: number) => {
    onChange({ ...draft, text });
    // Runs after the text is rendered.
    requestAnimationFrame(() => field.current?.setSelectionRange(position, position));
  };
  const choose = ({ text }: SavedReply) => {
    if (!slash) return;
    const start = draft.text.slice(0, slash.start) + text;
    moveTo(start + draft.text.slice(caret), start.length);
    setClosed(true);
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!slash) return false;
    const option = options[active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const by = event.key === 'ArrowDown' ? 1 : -1;
      if (options.length > 0) setPlace((active + by + options.length) % options.length);
    } else if ((event.key === 'Enter' || event.key === 'Tab') && option) choose(option);
    else if (event.key === 'Escape') setClosed(true);
    else return false;
    event.preventDefault();
    return true;
  };
  return {
    onKeyDown,
    /** Phone keyboards report no keys, so a typed slash is detected in the text. */
    onChange: ({ value, selectionStart }: HTMLTextAreaElement) => {
      setCaret(selectionStart);
      if (value.length > draft.text.length && value[selectionStart - 1] === '/') setClosed(false);
    },
    onSelect: (event: { currentTarget: HTMLTextAreaElement }) => {
      setCaret(event.currentTarget.selectionStart);
      setPlace(0);
    },
    close: () => setClosed(true),
    /** Inserts a slash, as if typed. */
    open: () => {
      const before = draft.text.slice(0, caret);
      const start = `${before}${before === '' || /\s$/.test(before) ? '' : ' '}/`;
      field.current?.focus();
      setCaret(start.length);
      setClosed(false);
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
        />
        <VisuallyHidden role="status">{t('replyCount', { count: options.length })}</VisuallyHidden>
      </>
    ),
  };
}
