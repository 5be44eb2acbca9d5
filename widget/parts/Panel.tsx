import { useLayoutEffect, useRef } from 'preact/hooks';
import { named } from '../languages.ts';
import type { Talk, TalkState } from '../talk/talk.ts';
import { useAround } from './around.ts';
import { Composer } from './Composer.tsx';
import { Icon } from './Icon.tsx';
import { Messages } from './Messages.tsx';
import { Picture } from './Picture.tsx';

interface PanelProps {
  talk: Talk;
  state: TalkState;
  title: string | undefined;
  greeting: string | undefined;
  hasUploads: boolean;
  /** Fills the screen, as on a phone. The page behind it is then unreachable. */
  isWhole: boolean;
  onClose: () => void;
}

export function Panel({ talk, state, title, greeting, hasUploads, isWhole, onClose }: PanelProps) {
  const { words, avatar } = useAround();
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const target = panel.current!.querySelector<HTMLElement>('textarea:enabled') ?? panel.current!;
    target.focus();
  }, []);
  const isChoiceDue = mustChoose(state);
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      onClose();
    }
    if (event.key === 'Tab' && isWhole) keepFocus(event, panel.current!);
  };
  return (
    <div
      ref={panel}
      class={isWhole ? 'panel whole' : 'panel'}
      role="dialog"
      aria-modal={isWhole}
      aria-label={title ?? words.title}
      tabIndex={-1}
      onKeyDown={press}
    >
      <header>
        {avatar && <Picture class="avatar" src={avatar} />}
        <div class="heads">
          <p class="title">
            <bdi>{title ?? words.title}</bdi>
          </p>
          <p class="subtitle" role="status">
            <Service state={state} />
          </p>
        </div>
        <button type="button" class="closing" aria-label={words.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <Messages
        // The scroll position of the former conversation does not apply to the next one.
        key={state.conversationId ?? ''}
        state={state}
        greeting={state.startedEmpty ? greeting : undefined}
        onAnswer={payload => talk.say(payload)}
        onRetry={key => talk.retry(key)}
        onAgain={messageId => talk.sayAgain(messageId)}
        onEarlier={() => talk.showEarlier()}
      />
      <Condition talk={talk} state={state} onRestart={() => panel.current!.focus()} />
      <Composer
        talk={talk}
        conversationId={state.conversationId}
        hasUploads={hasUploads}
        isDisabled={state.phase === 'over' || state.phase === 'failed' || isChoiceDue}
        mustChoose={isChoiceDue}
        onSay={text => talk.say({ type: 'text', text })}
        onType={isTyping => talk.type(isTyping)}
        onFile={file => talk.sendFile(file)}
      />
    </div>
  );
}

/** Shows the assignee of the conversation, if any. */
function Service({ state: { handoff, people } }: { state: TalkState }) {
  const { words } = useAround();
  if (!handoff) return null;
  if (handoff.status === 'waiting') return words.waitingForPerson;
  const person = people.get(handoff.userId ?? '');
  return person ? named(words.talkingTo, person.name) : words.talkingToPerson;
}

interface ConditionProps {
  talk: Talk;
  state: TalkState;
  /** Called after a press of a button that disappears while it has the focus. */
  onRestart(): void;
}

/** Shows the conversation's status unless it is ready. */
function Condition({ talk, state, onRestart }: ConditionProps) {
  const { words } = useAround();
  const { phase, failure, connection } = state;
  const retry = () => {
    onRestart();
    talk.start();
  };
  const startAnew = () => {
    onRestart();
    talk.startAnew();
  };
  const isStarting = phase === 'starting' || (phase === 'ready' && connection === 'connecting');
  return (
    <div class="condition" role="status">
      {isStarting && state.messages.length === 0 && <p class="muted">{words.connecting}</p>}
      {phase === 'ready' && connection === 'lost' && <p class="fault">{words.connectionLost}</p>}
      {phase === 'failed' && (
        <p class="fault">
          {words[reasonOf(failure)]}{' '}
          <button type="button" class="plainButton" onClick={retry}>
            {words.retry}
          </button>
        </p>
      )}
      {phase === 'over' && (
        <p>
          {words.conversationEnded}{' '}
          <button type="button" class="plainButton" onClick={startAnew}>
            {words.startNewConversation}
          </button>
        </p>
      )}
    </div>
  );
}

function reasonOf(failure: TalkState['failure']): 'signedInOnly' | 'notAllowedHere' | 'unreachable' {
  if (failure?.status === 401) return 'signedInOnly';
  return failure?.status === 403 ? 'notAllowedHere' : 'unreachable';
}

/** True while the bot only accepts a choice (`disableFreeText`). */
function mustChoose({ messages, userId }: TalkState): boolean {
  const lastOwn = messages.findLastIndex(message => message.userId === userId);
  return messages.slice(lastOwn + 1).some(({ payload }) => {
    const { type, disableFreeText, options } = payload as Record<string, unknown>;
    const isChoice = type === 'choice' || type === 'dropdown';
    return isChoice && disableFreeText === true && Array.isArray(options) && options.length > 0;
  });
}

const FOCUSABLE =
  'a[href], button:enabled, textarea:enabled, select:enabled, audio[controls], video[controls], [tabindex="0"]';

/** Cycles the focus between the first and the last element. */
function keepFocus(event: KeyboardEvent, panel: HTMLElement): void {
  const all = [...panel.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const current = (panel.getRootNode() as ShadowRoot).activeElement;
  const [first, last] = [all[0], all.at(-1)];
  const isAtEdge = event.shiftKey ? current === first || current === panel : current === last;
  if (!isAtEdge) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}
