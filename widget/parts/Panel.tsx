import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { named } from '../languages.ts';
import type { Options } from '../options.ts';
import type { ChatField } from '../package/index.d.ts';
import type { Talk, TalkState } from '../talk/talk.ts';
import { Availability } from './Availability.tsx';
import { useAround } from './around.ts';
import { Composer } from './Composer.tsx';
import { Consent } from './Consent.tsx';
import { History } from './History.tsx';
import { Icon } from './Icon.tsx';
import { Messages } from './Messages.tsx';
import { Picture } from './Picture.tsx';
import { Rating } from './Rating.tsx';
import { VisitorForm } from './VisitorForm.tsx';

interface PanelProps {
  talk: Talk;
  state: TalkState;
  options: Options;
  /** Fields that a guest must see before the conversation starts. */
  fields: readonly ChatField[];
  hasConsented: boolean;
  /** Fills the screen, as on a phone. The page behind it is then unreachable. */
  isWhole: boolean;
  onClose: () => void;
  onFields(values: string[]): void;
  onConsent(isGiven: boolean): void;
}

export function Panel(props: PanelProps) {
  const { talk, state, options, fields, hasConsented, isWhole, onClose, onFields, onConsent } = props;
  const { title, greeting, content, preview } = options;
  const { words, avatar } = useAround();
  const [isHistoryShown, showHistory] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const isFormShown = fields.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the composer replaces the form
  useLayoutEffect(() => {
    // The form with the settings keeps the focus beside a preview.
    if (preview) return;
    const target = panel.current!.querySelector<HTMLElement>('textarea:enabled, .visitor input') ?? panel.current!;
    target.focus();
  }, [isFormShown]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation is shown
  useEffect(() => showHistory(false), [state.conversationId]);
  const isChoiceDue = mustChoose(state);
  const isNew = isFormShown || isUnanswered(state, preview);
  const consent = isNew ? content.consent : undefined;
  const isHeld = consent?.required === true && !hasConsented;
  const logo = content.logo ?? avatar;
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
        {logo && <Picture class={content.logo ? 'logo' : 'avatar'} src={logo} />}
        <div class="heads">
          <p class="title">
            <bdi>{title ?? words.title}</bdi>
          </p>
          <p class="subtitle" role="status">
            {state.handoff ? <Service state={state} /> : <Availability settings={content} />}
          </p>
        </div>
        {content.history && !isFormShown && (
          <button
            type="button"
            class="closing"
            aria-label={words.history}
            aria-pressed={isHistoryShown}
            onClick={() => showHistory(!isHistoryShown)}
          >
            <Icon name="history" />
          </button>
        )}
        <button type="button" class="closing" aria-label={words.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {isHistoryShown && <History talk={talk} onClose={() => showHistory(false)} />}
      {isFormShown && <VisitorForm fields={fields} greeting={greeting} isDisabled={isHeld} onSubmit={onFields} />}
      {!isHistoryShown && !isFormShown && (
        <>
          <Messages
            // The scroll position of the former conversation does not apply to the next one.
            key={state.conversationId ?? ''}
            state={state}
            greeting={state.startedEmpty || preview ? greeting : undefined}
            questions={isNew ? content.questions : undefined}
            isHeld={isHeld}
            onAnswer={payload => talk.say(payload)}
            onRetry={key => talk.retry(key)}
            onAgain={messageId => talk.sayAgain(messageId)}
            onEarlier={() => talk.showEarlier()}
          />
          <Condition talk={talk} state={state} onRestart={() => panel.current!.focus()} />
          {content.rating && state.rating && (
            <Rating
              key={state.conversationId}
              value={state.rating.value}
              onRate={(value, comment) => talk.rate(value, comment)}
              onDismiss={() => {
                panel.current!.focus();
                talk.dismissRating();
              }}
            />
          )}
        </>
      )}
      {consent && !isHistoryShown && <Consent consent={consent} isGiven={hasConsented} onChange={onConsent} />}
      {!isHistoryShown && !isFormShown && (
        <Composer
          talk={talk}
          conversationId={state.conversationId}
          hasUploads={options.uploads}
          isDisabled={state.phase === 'over' || state.phase === 'failed' || isChoiceDue || isHeld}
          mustChoose={isChoiceDue}
          onSay={text => talk.say({ type: 'text', text })}
          onType={isTyping => talk.type(isTyping)}
          onFile={file => talk.sendFile(file)}
        />
      )}
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

/** True for a new conversation without a message of the visitor. */
const isUnanswered = ({ startedEmpty, messages, waiting, userId }: TalkState, isPreview: boolean): boolean =>
  isPreview || (startedEmpty && waiting.length === 0 && !messages.some(message => message.userId === userId));

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
  'a[href], button:enabled, input:enabled, textarea:enabled, select:enabled, audio[controls], video[controls], [tabindex="0"]';

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
