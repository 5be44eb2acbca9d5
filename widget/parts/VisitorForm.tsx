// biome-ignore-all lint/suspicious/noArrayIndexKey: the fields of a form do not move
import { useId, useState } from 'preact/hooks';
import type { Words } from '../languages.ts';
import { USER_LIMITS } from '../limits.ts';
import type { ChatField } from '../package/index.d.ts';
import { useAround } from './around.ts';

const LABELS = { name: 'fieldName', email: 'fieldEmail', phone: 'fieldPhone', company: 'fieldCompany' } as const;
const TEXT = { type: 'text' } as const;
/** Phones show a suitable keyboard, and browsers check addresses. */
const TYPES = {
  name: TEXT,
  email: { type: 'email' },
  phone: { type: 'tel' },
  company: TEXT,
  text: TEXT,
} as const;
const AUTOCOMPLETE = { name: 'name', email: 'email', phone: 'tel', company: 'organization', text: 'off' };

interface VisitorFormProps {
  fields: readonly ChatField[];
  greeting: string | undefined;
  /** True until the visitor has consented. */
  isDisabled: boolean;
  onSubmit(values: string[]): void;
}

/** Asks a guest for details before the first message. */
export function VisitorForm({ fields, greeting, isDisabled, onSubmit }: VisitorFormProps) {
  const { words } = useAround();
  const id = useId();
  const [values, setValues] = useState<string[]>([]);
  const submit = (event: Event) => {
    event.preventDefault();
    if (!isDisabled) onSubmit(fields.map((_, i) => values[i] ?? ''));
  };
  return (
    <form class="visitor" aria-label={words.formTitle} onSubmit={submit}>
      {greeting && (
        <p class="plain" dir="auto">
          {greeting}
        </p>
      )}
      {fields.map(({ kind, label, required }, i) => (
        <div key={i} class="field">
          <label for={`${id}${i}`}>
            <bdi>{label ?? textFor(words, kind)}</bdi> {!required && <span class="muted">({words.optional})</span>}
          </label>
          <input
            id={`${id}${i}`}
            {...TYPES[kind]}
            autocomplete={AUTOCOMPLETE[kind]}
            required={required === true}
            maxLength={USER_LIMITS.attribute}
            dir="auto"
            value={values[i] ?? ''}
            onInput={event =>
              setValues(fields.map((_, n) => (n === i ? event.currentTarget.value : (values[n] ?? ''))))
            }
          />
        </div>
      ))}
      <button type="submit" class="start" disabled={isDisabled}>
        {words.startChat}
      </button>
    </form>
  );
}

const textFor = (words: Words, kind: ChatField['kind']): string => (kind === 'text' ? '' : words[LABELS[kind]]);
