/** Describes what a field accepts. */
import { isolate } from '../../messages/bidi.ts';
import { forms } from '../../messages/en/forms.ts';
import { translator } from '../../messages/translate.ts';
import type { Field } from './formFields.ts';

const t = translator('forms', forms);

export function hintOf(field: Field): string {
  const { kind, description, limits } = field;
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = limits;
  return [
    description && isolate(description),
    kind === 'lines' ? t('onePerLine') : '',
    kind === 'json' ? t('asJson') : '',
    rangeOf(minimum, maximum),
    rangeOf(minLength, maxLength, 'characters'),
    rangeOf(minItems, maxItems, 'entries'),
    defaultOf(field),
  ]
    .filter(Boolean)
    .join(' ');
}

function rangeOf(least: number | undefined, most: number | undefined, unit?: 'characters' | 'entries'): string {
  if (least !== undefined && most !== undefined) return t(unit ? `${unit}Between` : 'between', { least, most });
  if (least !== undefined) return t(unit ? `${unit}AtLeast` : 'atLeast', { least });
  return most === undefined ? '' : t(unit ? `${unit}AtMost` : 'atMost', { most });
}

function defaultOf({ kind, default: value }: Field): string {
  if (value === undefined || value === null || value === '') return '';
  if (typeof value === 'object' || kind === 'hidden') return '';
  if (typeof value === 'boolean') return t('defaultIs', { value: t(value ? 'yes' : 'no') });
  return t('defaultIs', { value: String(value) });
}
