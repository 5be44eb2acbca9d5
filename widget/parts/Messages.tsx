import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { AnyPayload, Message, Said } from '../talk/chatContract.ts';
import type { Person } from '../talk/company.ts';
import type { Outgoing } from '../talk/messageOutbox.ts';
import type { Reply } from '../talk/streams.ts';
import type { TalkState } from '../talk/talk.ts';
import { Author } from './Author.tsx';
import { useAround } from './around.ts';
import { mendMarkdown } from './mendMarkdown.ts';
import { Payload } from './Payload.tsx';
import { Picture } from './Picture.tsx';

interface MessagesProps {
  state: TalkState;
  /** A text of the page that precedes the messages. */
  greeting?: string | undefined;
  /** Offered until the first message of the visitor. */
  questions?: readonly string[] | undefined;
  /** True until the visitor has consented. */
  isHeld?: boolean;
  onAnswer(payload: Said): void;
  onRetry(key: string): void;
  /** Sends a message that the bot could not process again. */
  onAgain(messageId: string): void;
  onEarlier(): Promise<void>;
}

/** Keeps the position of readers who scrolled up further. */
const NEAR_END_PX = 80;

export function Messages(props: MessagesProps) {
  const { state, greeting, questions = [], isHeld, onAnswer, onRetry, onAgain, onEarlier } = props;
  const { words } = useAround();
  const { messages, waiting, userId, hasEarlier, isOtherTyping, people, failedIds, readId, replies, streamIds } = state;
  const entries = [...messages, ...replies.map(asMessage)];
  const growing = replies.reduce((length, { text }) => length + text.length, 0);
  const list = useScroll(
    messages,
    `${waiting.length} ${isOtherTyping} ${failedIds.length} ${growing} ${questions.length}`,
  );
  const lastOwn = messages.findLastIndex(message => message.userId === userId);
  const standingOf = ({ id }: Message, i: number): Standing | undefined => {
    if (failedIds.includes(id)) return 'unprocessed';
    if (i !== entries.length - 1 || waiting.length > 0) return undefined;
    return readId >= id ? 'read' : 'sent';
  };
  // The pressed button disappears or is disabled. The panel must still receive key presses.
  const keepFocus = () => list.current?.focus({ preventScroll: true });
  const answer = (label: string, value: string) => {
    keepFocus();
    onAnswer({ type: 'text', text: label, value });
  };
  const ask = (question: string) => {
    keepFocus();
    onAnswer({ type: 'text', text: question });
  };
  const again = (messageId: string) => {
    keepFocus();
    onAgain(messageId);
  };
  const retry = (key: string) => {
    keepFocus();
    onRetry(key);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <div ref={list} class="messages" role="log" aria-label={words.messages} tabIndex={0}>
      {hasEarlier && <Earlier onEarlier={onEarlier} />}
      {greeting && <LocalGreeting text={greeting} />}
      {entries.map((message, i) => (
        <Entry
          // Preact keeps the element when the final message replaces a reply.
          key={streamIds.get(message.id) ?? message.id}
          isGrowing={i >= messages.length}
          message={message}
          isOwn={message.userId === userId}
          author={message.userId === userId ? undefined : people.get(message.userId)}
          isFirst={message.userId !== entries[i - 1]?.userId}
          hasAvatar={message.userId !== userId && !people.has(message.userId)}
          standing={message.userId === userId ? standingOf(message, i) : undefined}
          onAgain={again}
        >
          <Payload
            payload={message.payload as AnyPayload}
            onAnswer={message.userId === userId ? undefined : answer}
            isOpen={i > lastOwn && waiting.length === 0}
            isOwn={message.userId === userId}
          />
        </Entry>
      ))}
      {questions.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a group of buttons, without fields
        <div class="options questions" role="group" aria-label={words.questions}>
          {questions.map(question => (
            <button key={question} type="button" class="option" disabled={isHeld} onClick={() => ask(question)}>
              {question}
            </button>
          ))}
        </div>
      )}
      {waiting.map(each => (
        <Waiting key={each.key} outgoing={each} onRetry={retry} />
      ))}
      {isOtherTyping && (
        <div class="message typing">
          <span class="dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          <span class="hidden">{words.typing}</span>
        </div>
      )}
    </div>
  );
}

/** A reply that grows, as Markdown. */
const asMessage = ({ streamId, text, ...reply }: Reply): Message => ({
  ...reply,
  id: streamId,
  conversationId: '',
  payload: { type: 'markdown', markdown: mendMarkdown(text) },
});

/** Undefined for a message that another one follows, unless it failed. */
type Standing = 'sent' | 'read' | 'unprocessed';

interface EntryProps {
  message: Message;
  /** True for a reply before its end. Readers hear it once, at the end, and its links are not complete. */
  isGrowing: boolean;
  isOwn: boolean;
  /** Undefined for the visitor and the bot. */
  author: Person | undefined;
  /** True for the first of consecutive messages of one author. */
  isFirst: boolean;
  /** True for messages of the bot. */
  hasAvatar: boolean;
  standing: Standing | undefined;
  onAgain: MessagesProps['onAgain'];
  children: ComponentChildren;
}

function Entry(props: EntryProps) {
  const { message, isGrowing, isOwn, author, isFirst, hasAvatar, standing, onAgain, children } = props;
  const { words, language, avatar } = useAround();
  const time = useMemo(() => new Intl.DateTimeFormat(language, { timeStyle: 'short' }), [language]);
  const at = new Date(message.createdAt);
  const format = at.toDateString() === new Date().toDateString() ? time : undefined;
  return (
    <div
      class={`message ${isOwn ? 'own' : 'other'}${avatar && hasAvatar ? ' pictured' : ''}`}
      data-message={message.id}
      inert={isGrowing}
    >
      {avatar && hasAvatar && isFirst && <Picture class="avatar" src={avatar} />}
      {author && isFirst ? (
        <Author person={author} />
      ) : (
        <span class="hidden">
          <bdi>{isOwn ? words.ownMessage : (author?.name ?? words.otherMessage)}</bdi>:{' '}
        </span>
      )}
      <div class={`bubble ${(message.payload as AnyPayload).type}`} dir="auto">
        {children}
      </div>
      <p class="about">
        <time dateTime={message.createdAt}>{format ? format.format(at) : at.toLocaleString(language)}</time>
        {(standing === 'sent' || standing === 'read') && <span> · {words[standing]}</span>}
      </p>
      {standing === 'unprocessed' && (
        <p class="fault">
          {words.notProcessed}{' '}
          <button type="button" class="plainButton" onClick={() => onAgain(message.id)}>
            {words.sendAgain}
          </button>
        </p>
      )}
    </div>
  );
}

/** Looks like a message of the bot. It is neither sent nor stored. */
function LocalGreeting({ text }: { text: string }) {
  const { words, avatar } = useAround();
  return (
    <div class={avatar ? 'message other pictured' : 'message other'}>
      {avatar && <Picture class="avatar" src={avatar} />}
      <span class="hidden">{words.otherMessage}: </span>
      <div class="bubble text" dir="auto">
        <Payload payload={{ type: 'text', text }} />
      </div>
    </div>
  );
}

function Waiting({ outgoing, onRetry }: { outgoing: Outgoing; onRetry: MessagesProps['onRetry'] }) {
  const { words } = useAround();
  const { key, payload, fault } = outgoing;
  return (
    <div class="message own waiting">
      <span class="hidden">{words.ownMessage}: </span>
      <div class="bubble" dir="auto">
        <Payload payload={payload} isOwn />
      </div>
      {fault ? (
        <p class="fault">
          {words.notSent}{' '}
          <button type="button" class="plainButton" onClick={() => onRetry(key)}>
            {words.sendAgain}
          </button>
          {!fault.isPassing && (
            <span class="muted" lang="en" dir="ltr">
              {' '}
              {fault.message}
            </span>
          )}
        </p>
      ) : (
        <span class="muted">{words.sending}</span>
      )}
    </div>
  );
}

function Earlier({ onEarlier }: Pick<MessagesProps, 'onEarlier'>) {
  const { words } = useAround();
  const [isBusy, setBusy] = useState(false);
  const show = () => {
    setBusy(true);
    onEarlier()
      .catch(() => {})
      .finally(() => setBusy(false));
  };
  return (
    <button type="button" class="plainButton" disabled={isBusy} onClick={show}>
      {words.showEarlier}
    </button>
  );
}

/** Keeps the end in view for new messages, and the scroll position for earlier messages. */
function useScroll(messages: readonly Message[], rest: string) {
  const list = useRef<HTMLDivElement>(null);
  const before = useRef({ height: 0, first: '', isAtEnd: true });
  const first = messages[0]?.id ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever changes the height
  useLayoutEffect(() => {
    const element = list.current!;
    const { height, first: former, isAtEnd } = before.current;
    if (isAtEnd) element.scrollTop = element.scrollHeight;
    else if (former !== '' && first < former) element.scrollTop += element.scrollHeight - height;
    before.current = { ...before.current, height: element.scrollHeight, first };
  }, [messages, rest]);
  useLayoutEffect(() => {
    const element = list.current!;
    const note = () => {
      const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
      before.current = { ...before.current, isAtEnd };
    };
    // Pictures have no height before `load`, which does not bubble.
    const settle = () => {
      if (before.current.isAtEnd) element.scrollTop = element.scrollHeight;
    };
    element.addEventListener('scroll', note, { passive: true });
    element.addEventListener('load', settle, true);
    // A part that appears below the list, such as the rating, shrinks it. The last message must stay visible.
    const resized = new ResizeObserver(settle);
    resized.observe(element);
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', note);
      element.removeEventListener('load', settle, true);
    };
  }, []);
  return list;
}
