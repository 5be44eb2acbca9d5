// biome-ignore-all lint/suspicious/noArrayIndexKey: what messages hold has no ids, and does not move
import { useId, useState } from 'preact/hooks';
import { counted } from '../languages.ts';
import { useAround } from './around.ts';
import { itemsOf, textOf } from './payloadValues.ts';

/** @param value the bot's value for the label */
export type OnAnswer = (label: string, value: string) => void;

interface ChoicesProps {
  options: unknown;
  /** Undefined after a choice was sent. */
  onAnswer: OnAnswer | undefined;
}

export function Options({ options, onAnswer }: ChoicesProps) {
  const { words } = useAround();
  const { items, left } = itemsOf(options);
  return (
    <>
      <div class="options">
        {items.map(({ label, value }, i) => (
          <button
            key={i}
            type="button"
            class="option"
            disabled={!onAnswer}
            onClick={() => onAnswer?.(textOf(label), textOf(value) || textOf(label))}
          >
            {textOf(label)}
          </button>
        ))}
      </div>
      {left > 0 && <p class="muted">{counted(words.more, left)}</p>}
    </>
  );
}

/** A list with a submit button, because arrow keys already change the selection. */
export function Dropdown({ options, label, onAnswer }: ChoicesProps & { label: string }) {
  const { words } = useAround();
  const [chosen, setChosen] = useState('');
  const id = useId();
  const { items, left } = itemsOf(options);
  const send = () => {
    const option = items[Number(chosen)]!;
    onAnswer?.(textOf(option.label), textOf(option.value) || textOf(option.label));
  };
  return (
    <div class="dropdown">
      <label class="hidden" for={id}>
        {label || words.choose}
      </label>
      <select id={id} value={chosen} disabled={!onAnswer} onChange={event => setChosen(event.currentTarget.value)}>
        <option value="">{words.choose}</option>
        {items.map((option, i) => (
          <option key={i} value={String(i)}>
            {textOf(option.label)}
          </option>
        ))}
      </select>
      <button type="button" class="option" disabled={!onAnswer || chosen === ''} onClick={send}>
        {words.send}
      </button>
      {left > 0 && <p class="muted">{counted(words.more, left)}</p>}
    </div>
  );
}
