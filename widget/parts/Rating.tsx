import type { TargetedEvent } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { counted } from '../languages.ts';
import { ChatFault } from '../talk/chatApi.ts';
import { useAround } from './around.ts';
import { Icon } from './Icon.tsx';

const VALUES = [1, 2, 3, 4, 5];
const MAX_COMMENT_LENGTH = 1_000;

interface RatingProps {
  /** The stored rating. */
  value: number | undefined;
  /** @throws ChatFault */
  onRate(value: number, comment: string): Promise<void>;
  onDismiss(): void;
}

/** Asks for a rating of the handoff that has ended. */
export function Rating({ value, onRate, onDismiss }: RatingProps) {
  const { words } = useAround();
  const [isChanging, setChanging] = useState(value === undefined);
  const [chosen, setChosen] = useState(value ?? 0);
  const [comment, setComment] = useState('');
  const [state, setState] = useState<{ isBusy?: boolean; fault?: string }>({});
  const name = useId();
  const latest = useRef(0);
  const storing = useRef<Promise<unknown>>(Promise.resolve());
  const store = async (rating: number) => {
    try {
      await onRate(rating, comment.trim());
      setState({});
      return true;
    } catch (fault) {
      const isOver = fault instanceof ChatFault && !fault.isPassing;
      setState({ fault: isOver ? words.ratingEnded : words.notSent });
      return false;
    }
  };
  /** Stores the value before the form is submitted, which many visitors skip. Of several values, the last counts. */
  const choose = (rating: number) => {
    latest.current = rating;
    setChosen(rating);
    storing.current = storing.current.then(() => latest.current === rating && store(rating));
  };
  const send = async (event: Event) => {
    event.preventDefault();
    if (chosen === 0) return;
    setState({ isBusy: true });
    await storing.current;
    if (await store(chosen)) setChanging(false);
  };
  return (
    <form class="rating" onSubmit={event => void send(event)}>
      {isChanging ? (
        <>
          <fieldset>
            <legend>{words.rate}</legend>
            <div class="values">
              {VALUES.map(each => (
                <label key={each} class={each === chosen ? 'value chosen' : 'value'}>
                  <input
                    type="radio"
                    class="hidden"
                    name={name}
                    checked={each === chosen}
                    aria-label={counted(words.rating, each)}
                    onChange={() => choose(each)}
                  />
                  <span aria-hidden="true">{each}</span>
                </label>
              ))}
            </div>
          </fieldset>
          {chosen > 0 && (
            <div class="comment">
              <textarea
                rows={1}
                value={comment}
                maxLength={MAX_COMMENT_LENGTH}
                placeholder={words.ratingComment}
                aria-label={words.ratingComment}
                dir={comment === '' ? undefined : 'auto'}
                onInput={(event: TargetedEvent<HTMLTextAreaElement>) => setComment(event.currentTarget.value)}
              />
              <button type="submit" class="option" disabled={state.isBusy}>
                {words.send}
              </button>
            </div>
          )}
        </>
      ) : (
        <p role="status">
          {words.rated} {value !== undefined && counted(words.rating, value)}{' '}
          <button type="button" class="plainButton" onClick={() => setChanging(true)}>
            {words.changeRating}
          </button>
        </p>
      )}
      <p class="fault" role="status">
        {state.fault}
      </p>
      <button type="button" class="dismiss" aria-label={words.dismiss} onClick={onDismiss}>
        <Icon name="close" />
      </button>
    </form>
  );
}
