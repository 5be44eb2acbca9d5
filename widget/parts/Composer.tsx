import type { TargetedEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { MAX_FILE_BYTES, MAX_TEXT_LENGTH } from '../limits.ts';
import { ChatFault } from '../talk/chatApi.ts';
import type { Talk } from '../talk/talk.ts';
import { useAround } from './around.ts';
import { Icon } from './Icon.tsx';

interface ComposerProps {
  /** Keeps the text while the panel is closed. */
  talk: Pick<Talk, 'draft'>;
  conversationId: string | undefined;
  hasUploads: boolean;
  isDisabled: boolean;
  /** True while the bot accepts only a choice. */
  mustChoose: boolean;
  /** Returns true if the text was accepted. */
  onSay(text: string): boolean;
  onType(isTyping: boolean): void;
  onFile(file: File): Promise<void>;
}

export function Composer(props: ComposerProps) {
  const { talk, conversationId, hasUploads, isDisabled, mustChoose, onSay, onType, onFile } = props;
  const { words } = useAround();
  const [text, showText] = useState(talk.draft);
  // Each user has a separate draft.
  useLayoutEffect(() => showText(talk.draft), [talk]);
  const setText = (value: string) => {
    talk.draft = value;
    showText(value);
  };
  const send = () => {
    if (text.trim() === '' || !onSay(text.trim())) return;
    setText('');
  };
  const submit = (event: Event) => {
    event.preventDefault();
    send();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    send();
  };
  const change = ({ currentTarget: { value } }: TargetedEvent<HTMLTextAreaElement>) => {
    setText(value);
    onType(value.trim() !== '');
  };
  return (
    <form class="composer" onSubmit={submit}>
      {hasUploads && <Attach conversationId={conversationId} onFile={onFile} />}
      <textarea
        rows={1}
        value={text}
        maxLength={MAX_TEXT_LENGTH}
        placeholder={mustChoose ? words.choose : words.placeholder}
        aria-label={words.messageField}
        disabled={isDisabled}
        dir={text === '' ? undefined : 'auto'}
        onInput={change}
        onKeyDown={press}
      />
      <button type="submit" class="send" aria-label={words.send} disabled={isDisabled || text.trim() === ''}>
        <Icon name="send" />
      </button>
    </form>
  );
}

function Attach({ conversationId, onFile }: Pick<ComposerProps, 'conversationId' | 'onFile'>) {
  const { words } = useAround();
  const input = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<{ isBusy: boolean; fault?: string }>({ isBusy: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a fault belongs to its conversation
  useEffect(() => setState(({ isBusy }) => ({ isBusy })), [conversationId]);
  const choose = async (event: TargetedEvent<HTMLInputElement>) => {
    const file = event.currentTarget.files?.[0];
    event.currentTarget.value = '';
    if (!file) return;
    if (file.size > MAX_FILE_BYTES) return setState({ isBusy: false, fault: words.tooLarge });
    setState({ isBusy: true });
    try {
      await onFile(file);
      setState({ isBusy: false });
    } catch (error) {
      const isClear = error instanceof ChatFault && !error.isPassing;
      setState({ isBusy: false, fault: isClear ? `${words.notSent} ${error.message}` : words.notSent });
    }
  };
  return (
    <>
      <input ref={input} type="file" hidden onChange={choose} />
      <button
        type="button"
        class="attach"
        aria-label={words.attach}
        disabled={state.isBusy}
        onClick={() => input.current!.click()}
      >
        <Icon name="attach" />
      </button>
      <p class={state.fault ? 'fault upload' : 'muted upload'} role="status">
        {state.isBusy ? words.uploading : state.fault}
      </p>
    </>
  );
}
