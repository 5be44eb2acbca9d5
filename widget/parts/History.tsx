import { useEffect, useRef, useState } from 'preact/hooks';
import type { AnyPayload, Message } from '../talk/chatContract.ts';
import type { Earlier } from '../talk/earlier.ts';
import type { Talk } from '../talk/talk.ts';
import { useAround } from './around.ts';
import { Payload } from './Payload.tsx';
import { startOf, textOf } from './payloadValues.ts';

const PREVIEW_LENGTH = 120;

interface HistoryProps {
  talk: Pick<Talk, 'listEarlier' | 'readEarlier' | 'state'>;
  onClose(): void;
}

/** The earlier conversations of the visitor, which can be read but not continued. */
export function History({ talk, onClose }: HistoryProps) {
  const { words, language } = useAround();
  const [list, setList] = useState<Earlier[]>();
  const [opened, setOpened] = useState<{ id: string; messages: readonly Message[]; next: string | undefined }>();
  const [isFailed, setFailed] = useState(false);
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    box.current!.focus();
    talk.listEarlier().then(setList, () => setFailed(true));
  }, [talk]);
  const open = async (id: string, before?: string) => {
    setFailed(false);
    try {
      const { messages, next } = await talk.readEarlier(id, before);
      setOpened(former => ({ id, messages: before && former ? [...messages, ...former.messages] : messages, next }));
      if (!before) box.current!.focus();
    } catch {
      setFailed(true);
    }
  };
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section ref={box} class="history" aria-label={words.history} tabIndex={0}>
      <button type="button" class="plainButton" onClick={() => (opened ? setOpened(undefined) : onClose())}>
        {words.back}
      </button>
      {isFailed && (
        <p class="fault" role="alert">
          {words.unreachable}
        </p>
      )}
      {opened ? (
        <>
          {opened.next && (
            <button type="button" class="plainButton" onClick={() => void open(opened.id, opened.next)}>
              {words.showEarlier}
            </button>
          )}
          {opened.messages.map(message => (
            <Line key={message.id} message={message} isOwn={message.userId === talk.state.userId} date={date} />
          ))}
        </>
      ) : (
        <ul>
          {list?.map(({ id, lastMessage }) => (
            <li key={id}>
              <button type="button" class="entry" onClick={() => void open(id)}>
                <span class="muted">{date.format(new Date(lastMessage.createdAt))}</span>
                <span class="preview" dir="auto">
                  {previewOf(lastMessage, words.unsupportedMessage)}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {!opened && list?.length === 0 && <p class="muted">{words.noHistory}</p>}
      {!opened && !list && !isFailed && <p class="muted">{words.connecting}</p>}
    </section>
  );
}

function previewOf({ payload }: Message, fallback: string): string {
  const { text, markdown, title } = payload as Record<string, unknown>;
  return startOf(textOf(text) || textOf(markdown) || textOf(title), PREVIEW_LENGTH) || fallback;
}

function Line({ message, isOwn, date }: { message: Message; isOwn: boolean; date: Intl.DateTimeFormat }) {
  const { words } = useAround();
  return (
    <div class={isOwn ? 'message own' : 'message other'}>
      <span class="hidden">{isOwn ? words.ownMessage : words.otherMessage}: </span>
      <div class={`bubble ${(message.payload as AnyPayload).type}`} dir="auto">
        <Payload payload={message.payload as AnyPayload} isOwn={isOwn} />
      </div>
      <p class="about">
        <time dateTime={message.createdAt}>{date.format(new Date(message.createdAt))}</time>
      </p>
    </div>
  );
}
