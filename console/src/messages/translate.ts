/**
 * Texts of the console. English is part of the code of each page; other languages are loaded before the first page.
 * A text has placeholders such as `{name}`. Texts with a number have a variant per plural form: `bots_one`,
 * `bots_other`.
 */
import { createElement, Fragment, type ReactNode } from 'react';
import { isolate } from './bidi.ts';
import type * as German from './de/index.ts';
import { language, locale } from './language.ts';
import type { Texts } from './texts.ts';

export type Area = keyof typeof German;

type Placeholders<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never;
type PluralBase<Key> = Key extends `${infer Base}_other` ? Base : never;
type TextOf<English extends Texts, Key> = Key extends keyof English
  ? English[Key]
  : Key extends string
    ? English[`${Key}_other`]
    : never;
type KeyOf<English extends Texts> = (keyof English & string) | PluralBase<keyof English>;
type Values<Text, Value> = { [Name in Placeholders<Text>]: Name extends 'count' ? number : Value };
type Arguments<Text, Value> = [Placeholders<Text>] extends [never] ? [] : [values: Values<Text, Value>];

export interface Translator<English extends Texts> {
  <Key extends KeyOf<English>>(key: Key, ...values: Arguments<TextOf<English, Key>, string | number>): string;
  /** Accepts elements as values. */
  rich<Key extends KeyOf<English>>(key: Key, values: Values<TextOf<English, Key>, ReactNode>): ReactNode;
}

let translations: Partial<Record<Area, Texts>> = {};

/** Loads the texts of the chosen language. Must finish before the first page is rendered. */
export async function loadLanguage(): Promise<void> {
  if (language === 'de') translations = await import('./de/index.ts');
  document.documentElement.lang = language;
}

const plurals = new Intl.PluralRules(language);
const PLACEHOLDER = /\{(\w+)\}/;
const shown = (value: unknown): string =>
  typeof value === 'number' ? value.toLocaleString(locale) : isolate(String(value));
/** Elements are isolated by the style sheet. */
const shownElement = (value: ReactNode): ReactNode =>
  typeof value === 'number' || typeof value === 'string' ? shown(value) : value;

export function translator<const English extends Texts>(area: Area, english: English): Translator<English> {
  const find = (key: string, count: unknown): string => {
    const texts = (translations[area] ?? english) as Texts;
    if (texts[key] !== undefined) return texts[key];
    return texts[`${key}_${plurals.select(Number(count))}`] ?? texts[`${key}_other`] ?? key;
  };
  const translate = (key: string, values: Record<string, unknown> = {}) =>
    fill(find(key, values.count), name => shown(values[name])).join('');
  const rich = (key: string, values: Record<string, ReactNode>) =>
    fill<ReactNode>(find(key, values.count), name =>
      createElement(Fragment, { key: name }, shownElement(values[name])),
    );
  return Object.assign(translate, { rich }) as unknown as Translator<English>;
}

function fill<Part>(text: string, partOf: (name: string) => Part): (string | Part)[] {
  // `split` returns the captured names between the other parts.
  return text.split(PLACEHOLDER).map((part, i) => (i % 2 === 1 ? partOf(part) : part));
}
