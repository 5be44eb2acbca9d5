/** Writes replies and notes. A slash inserts a saved reply. */
import { Button, Textarea, UnstyledButton } from '@mantine/core';
import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import type { Handoff } from '../../api/contract.ts';
import { useBot } from '../../api/useBot.ts';
import { IconSend2 } from '../../icons/tabler.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { givenName } from '../../parts/personName.ts';
import { type VariableValues, valuesOf, variablesIn } from '../../parts/replyVariables.ts';
import { visibleName } from '../../parts/visibleName.ts';
import { AttachmentList } from './AttachmentList.tsx';
import attachmentClasses from './Attachments.module.css';
import { filesOfPaste, MAX_FILE_MEGABYTES, MAX_FILES } from './attachmentFiles.ts';
import { ComposerTools } from './ComposerTools.tsx';
import { type Draft, draftOf, setDraft, setMode, useDraft } from './drafts.ts';
import classes from './Inbox.module.css';
import { OpenVariables } from './OpenVariables.tsx';
import { showSent, showWriting } from './ownPresence.ts';
import { attachments, useAttachments } from './useAttachments.ts';
import type { HandoffActions } from './useHandoffActions.ts';
import { useMentionOptions } from './useMentionOptions.tsx';
import { usePeople } from './usePeople.ts';
import { useReplyOptions } from './useReplyOptions.tsx';
import { useSending } from './useSending.ts';
import { useTeam } from './useTeam.ts';
import { useTyping } from './useTyping.ts';

const t = translator('inbox', inbox);

/** Limit of the API. */
const MOST_LETTERS = 10_000;

type Mode = 'reply' | 'note';

export interface ComposerHandle {
  /** Without a mode, a text that is being written keeps its mode. */
  focus(mode?: Mode): void;
  attach(files: readonly File[]): void;
}

interface ComposerProps {
  botId: string;
  conversationId: string;
  /** The open handoff. */
  handoff: Handoff | undefined;
  actions: HandoffActions;
  ref: Ref<ComposerHandle>;
}

export function Composer({ ref, ...props }: ComposerProps) {
  const { botId, conversationId, handoff } = props;
  const draft = useDraft(conversationId);
  const field = useRef<HTMLTextAreaElement>(null);
  const replyTab = useRef<HTMLButtonElement>(null);
  const { isMine, isBlocked, upload, send } = useSending(props);
  const { isNote, text } = draft;
  const isDisabled = isBlocked && !isNote;
  const files = useFiles(conversationId, { isNote, isBlocked, upload });
  const typing = useTyping(botId, isMine && !isNote ? handoff?.id : undefined);
  const values = useVariableValues(botId, conversationId);
  const open = isNote ? [] : variablesIn(text);
  const replies = useReplyOptions(botId, field, draft, values, changed => setDraft(conversationId, changed));
  const mentions = useMentionOptions(field, draft, changed => setDraft(conversationId, changed));
  const change = (changed: Partial<Draft>) => setDraft(conversationId, { ...draft, ...changed });
  const focus = (mode: Mode) => {
    // A reply field that is disabled is enabled by the mode, before it can have the focus.
    flushSync(() => setMode(conversationId, mode === 'note'));
    (field.current?.disabled ? replyTab : field).current?.focus();
  };
  useImperativeHandle(ref, () => ({
    focus: (mode = draftOf(conversationId).text !== '' && draftOf(conversationId).isNote ? 'note' : 'reply') =>
      focus(mode),
    attach: files.attach,
  }));
  const hasContent = text.trim() !== '' || (!isNote && files.items.length > 0);
  const isSendable = !isDisabled && open.length === 0 && hasContent && !files.hasFailed;
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (!isSendable) return;
    typing.stop();
    showSent(conversationId);
    setDraft(conversationId, { text: '', isNote });
    field.current?.focus();
    await send(draft);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (replies.onKeyDown(event) || mentions.onKeyDown(event)) return;
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    void submit();
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = filesOfPaste(event.clipboardData);
    if (pasted.length === 0) return;
    event.preventDefault();
    files.attach(pasted);
  };
  return (
    <form className={classes.composer} onSubmit={event => void submit(event)} onKeyDown={leaveOnEscape}>
      {replies.list || mentions.list}
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
          {...mentions.fieldProps}
          onChange={event => {
            change({ text: event.currentTarget.value });
            replies.onChange(event.currentTarget);
            mentions.onChange(event.currentTarget);
            if (event.currentTarget.value !== '') typing.type();
            showWriting(conversationId, { text: event.currentTarget.value, isNote });
          }}
          onSelect={event => {
            replies.onSelect(event);
            mentions.onSelect(event);
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={() => {
            typing.stop();
            replies.close();
            mentions.close();
          }}
        />
        <OpenVariables
          places={open}
          onSelect={({ start, end }) => {
            field.current?.focus();
            field.current?.setSelectionRange(start, end);
          }}
        />
        {files.items.length > 0 && (
          <AttachmentList conversationId={conversationId} items={files.items} upload={upload} />
        )}
        <p className={attachmentClasses.notice} role="status">
          {files.notice}
        </p>
        <div className={classes.foot}>
          <ComposerTools
            isDisabled={isDisabled}
            isNote={isNote}
            onFiles={files.attach}
            onSavedReplies={replies.open}
            onEmoji={replies.insert}
            onEmojiClosed={() => field.current?.focus()}
          />
          <span className={classes.hint}>{t('hint')}</span>
          <Button
            type="submit"
            size="xs"
            {...(isNote ? { color: 'yellow.9' } : {})}
            disabled={!isSendable}
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

/** Values of the variables of saved replies. Ids and email addresses are no names to write to a customer. */
function useVariableValues(botId: string, conversationId: string): VariableValues {
  const { users } = usePeople(botId, conversationId);
  const { members, ownId } = useTeam();
  const { data: bot } = useBot(botId);
  return valuesOf({
    user: givenName(users[0]),
    agent: visibleName(members.find(({ userId }) => userId === ownId)?.displayName),
    bot: visibleName(bot?.name),
  });
}

/** Attached files. They are uploaded once the member is the assignee. Sending waits for running uploads. */
function useFiles(
  conversationId: string,
  { isNote, isBlocked, upload }: Pick<ReturnType<typeof useSending>, 'isBlocked' | 'upload'> & { isNote: boolean },
) {
  const items = useAttachments(conversationId);
  const [refusal, setRefusal] = useState<string>();
  const latest = useRef(upload);
  latest.current = upload;
  const isMine = upload !== undefined;
  useEffect(() => {
    if (isMine && items.some(({ state }) => state === 'waiting')) {
      void attachments.upload(conversationId, latest.current!);
    }
  }, [isMine, items, conversationId]);
  const attach = (files: readonly File[]) => {
    if (isNote || isBlocked) return setRefusal(t(isNote ? 'noFilesInNotes' : 'noFilesBlocked'));
    const refused = attachments.add(conversationId, files);
    if (refused?.reason === 'tooLarge')
      return setRefusal(t('fileTooLarge', { name: refused.name, megabytes: MAX_FILE_MEGABYTES }));
    setRefusal(refused && t('tooManyFiles', { most: MAX_FILES }));
  };
  const waiting = isNote && items.length > 0 ? t('filesWaitForReply') : undefined;
  return {
    items,
    attach,
    notice: refusal ?? waiting,
    hasFailed: !isNote && items.some(({ state }) => state === 'failed'),
  };
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
