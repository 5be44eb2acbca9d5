/** The form's settings of a widget, and the settings that are stored. */
import { BACKGROUNDS, type ColorTheme, contrastOf, LEAST_CONTRAST } from '#widget/contrast.ts';
import type { Body } from '../../api/contract.ts';

export type WidgetSettings = Body<'setBotWidget'>['settings'];
export type WidgetField = NonNullable<WidgetSettings['fields']>[number];
export type Period = NonNullable<WidgetSettings['hours']>['periods'][number];
/** A part of the form changes some settings. */
export type Change = (changes: Partial<WidgetSettings>) => void;

export const MAX_QUESTIONS = 6;
export const MAX_FIELDS = 5;
export const MAX_PERIODS = 3;

/** Returns an object without empty values, or undefined if none is left. */
function filled<Part extends object>(part: Part | undefined): Part | undefined {
  const entries = Object.entries(part ?? {}).filter(
    ([, value]) => value !== undefined && value !== '' && value !== false,
  );
  return entries.length > 0 ? (Object.fromEntries(entries) as Part) : undefined;
}

const listed = <Each>(list: readonly Each[] | undefined): Each[] | undefined =>
  list && list.length > 0 ? [...list] : undefined;

const fieldOf = ({ kind, label, attribute, required }: WidgetField): WidgetField => ({
  kind,
  ...filled({ label: label?.trim(), attribute: kind === 'text' ? attribute?.trim() : undefined, required }),
});

/** Returns what is stored: without empty values, in a fixed order. */
export function settingsOf(draft: WidgetSettings): WidgetSettings {
  const { title, greeting, questions, avatar, logo, accent, launcher, fields, replyTime, hours, rating, history } =
    draft;
  const settings: WidgetSettings = {
    title: title?.trim(),
    greeting: greeting?.trim(),
    questions: listed(questions?.map(each => each.trim()).filter(Boolean)),
    avatar: avatar?.trim(),
    logo: logo?.trim(),
    accent: filled({ light: accent?.light?.trim(), dark: accent?.dark?.trim() }),
    launcher: filled({
      text: launcher?.text?.trim(),
      icon: launcher?.icon?.trim(),
      // The default.
      position: launcher?.position === 'end' ? undefined : launcher?.position,
    }),
    fields: listed(fields?.map(fieldOf)),
    replyTime,
    hours: hours && hours.periods.length > 0 ? { timeZone: hours.timeZone, periods: sorted(hours.periods) } : undefined,
    rating,
    history,
    consent: consentOf(draft.consent),
  };
  return filled(settings) ?? {};
}

function consentOf(consent: WidgetSettings['consent']): WidgetSettings['consent'] {
  if (!consent?.text.trim()) return undefined;
  const { text, linkText, url, required } = consent;
  return { text: text.trim(), ...filled({ linkText: linkText?.trim(), url: url?.trim(), required }) };
}

const sorted = (periods: readonly Period[]): Period[] =>
  periods
    .map(({ day, from, to }) => ({ day, from, to }))
    .toSorted((a, b) => a.day - b.day || (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));

export const isSame = (one: WidgetSettings, other: WidgetSettings): boolean =>
  JSON.stringify(settingsOf(one)) === JSON.stringify(settingsOf(other));

/** `form`: it is no color. A number is the contrast that is too low. */
export function faultOfColor(color: string | undefined, theme: ColorTheme): 'form' | number | undefined {
  const value = color?.trim();
  if (!value) return undefined;
  if (!/^#[0-9a-f]{6}$/i.test(value)) return 'form';
  const contrast = contrastOf(value, BACKGROUNDS[theme]);
  // Rounded down, because 4.49 is too low.
  return contrast < LEAST_CONTRAST ? Math.floor(contrast * 10) / 10 : undefined;
}

export const hasColorFault = ({ accent }: WidgetSettings): boolean =>
  (['light', 'dark'] as const).some(theme => faultOfColor(accent?.[theme], theme) !== undefined);

/** The hours of a new schedule. */
export const OFFICE_HOURS: Period[] = [1, 2, 3, 4, 5].map(day => ({ day, from: '09:00', to: '17:00' }));
