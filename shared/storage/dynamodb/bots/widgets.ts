/** Content of the chat widget of one installation (docs/widget.md#settings). Everyone may read it. */
import * as z from 'zod/mini';
import { ApiError } from '#shared/core/errors.ts';
import { displayName } from '#shared/core/text.ts';
import { type Item, readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, type Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { widgetKey } from '#shared/storage/dynamodb/keys/workspace.ts';

/** Three pictures and all texts fit a request and an item. */
const MAX_PICTURE_LENGTH = 60_000;
const MAX_URL_LENGTH = 2_000;
const MAX_QUESTIONS = 6;
const MAX_FIELDS = 5;
const MAX_PERIODS_PER_DAY = 3;
const DAYS = 7;

const DATA_URL = /^data:image\/(png|jpeg|webp|gif|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/;

const isHttps = (value: string) => value.length <= MAX_URL_LENGTH && URL.parse(value)?.protocol === 'https:';

const url = () =>
  z
    .string()
    .check(
      z.maxLength(MAX_URL_LENGTH),
      z.refine(isHttps, { error: 'Must be an https URL, such as https://www.example.com/privacy' }),
    );

const picture = () =>
  z.string().check(
    z.maxLength(MAX_PICTURE_LENGTH),
    z.refine(value => DATA_URL.test(value) || isHttps(value), {
      error: `Must be an https URL of at most ${MAX_URL_LENGTH} characters, or the base64 data URL of a PNG, JPEG, WebP, GIF or SVG image`,
    }),
  );

const color = () => z.string().check(z.regex(/^#[0-9A-Fa-f]{6}$/, { error: 'Must be a color such as #1864ab' }));

const time = () =>
  z
    .string()
    .check(z.regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, { error: 'Must be a time such as 09:30, or 24:00' }));

const timeZone = () =>
  z
    .string()
    .check(z.maxLength(100), z.refine(isTimeZone, { error: 'Must be an IANA time zone such as Europe/Berlin' }));

/** Offsets such as +01:00 know no daylight saving time. */
function isTimeZone(value: string): boolean {
  if (!/^[A-Za-z]/.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

const Period = z
  .object({
    /** 1 is Monday. */
    day: z.int().check(z.minimum(1), z.maximum(DAYS)),
    from: time(),
    to: time(),
  })
  .check(z.refine(({ from, to }) => from < to, { error: 'Must begin before it ends. Split a night at 24:00' }));

/** Returns the fault of a week's periods, if any. */
function faultOf(periods: readonly z.infer<typeof Period>[]): string | undefined {
  for (let day = 1; day <= DAYS; day++) {
    const ofDay = periods.filter(each => each.day === day).toSorted((a, b) => (a.from < b.from ? -1 : 1));
    if (ofDay.length > MAX_PERIODS_PER_DAY) return `A day has at most ${MAX_PERIODS_PER_DAY} periods`;
    if (ofDay.some(({ to }, i) => to > (ofDay[i + 1]?.from ?? to))) return 'Periods of a day must not overlap';
  }
  return undefined;
}

const Hours = z.object({
  timeZone: timeZone(),
  periods: z.array(Period).check(z.minLength(1), z.maxLength(DAYS * MAX_PERIODS_PER_DAY), ({ value, issues }) => {
    const message = faultOf(value);
    if (message) issues.push({ code: 'custom', message, input: value });
  }),
});

const FIELD_KINDS = ['name', 'email', 'phone', 'company', 'text'] as const;

/** The attribute that stores a field of the kind `text`. Others have a fixed attribute. */
const attribute = () =>
  z.string().check(z.regex(/^[A-Za-z]\w{0,39}$/, { error: 'Must be letters, digits and _, as in orderNumber' }));

const Field = z
  .object({
    kind: z.enum(FIELD_KINDS),
    label: z.optional(displayName(100)),
    attribute: z.optional(attribute()),
    required: z.optional(z.boolean()),
  })
  .check(
    z.refine(({ kind, label, attribute: stored }) => kind !== 'text' || (label !== undefined && stored !== undefined), {
      error: 'A field of the kind text needs a label and an attribute',
    }),
  );

const attributeOf = ({ kind, attribute: stored }: z.infer<typeof Field>) => (kind === 'text' ? stored! : kind);

const Fields = z.array(Field).check(
  z.maxLength(MAX_FIELDS),
  z.refine(fields => new Set(fields.map(attributeOf)).size === fields.length, {
    error: 'Each field needs an attribute of its own',
  }),
);

export const WidgetSettings = z.object({
  title: z.optional(displayName(200)),
  greeting: z.optional(displayName(1_000)),
  questions: z.optional(z.array(displayName(200)).check(z.maxLength(MAX_QUESTIONS))),
  avatar: z.optional(picture()),
  logo: z.optional(picture()),
  accent: z.optional(z.object({ light: z.optional(color()), dark: z.optional(color()) })),
  launcher: z.optional(
    z.object({
      text: z.optional(displayName(60)),
      icon: z.optional(picture()),
      position: z.optional(z.enum(['end', 'start'])),
    }),
  ),
  fields: z.optional(Fields),
  replyTime: z.optional(z.enum(['minutes', 'hours', 'day'])),
  hours: z.optional(Hours),
  rating: z.optional(z.boolean()),
  history: z.optional(z.boolean()),
  consent: z.optional(
    z.object({
      text: displayName(500),
      linkText: z.optional(displayName(100)),
      url: z.optional(url()),
      required: z.optional(z.boolean()),
    }),
  ),
});
export type WidgetSettings = z.infer<typeof WidgetSettings>;

const Widget = z.object({
  webhookId: z.string(),
  settings: WidgetSettings,
  /** Counts changes, so that two editors do not overwrite each other. */
  version: z.number(),
  updatedAtMs: z.number(),
});
export type Widget = z.infer<typeof Widget>;
export const parseWidget = (item: Item): Widget => Widget.parse(item);

export async function findWidget(botId: string, webhookId: string): Promise<Widget | undefined> {
  const item = await readItem(widgetKey(botId, webhookId));
  return item && parseWidget(item);
}

const otherVersion = () =>
  new ApiError(
    'RelationConflict',
    'Another change was saved since these settings were read. Read them again, and repeat the change with their version.',
  );

/** Fails unless the stored version is the preceding one. */
export const putWidget = (botId: string, widget: Widget): Write => ({
  put: {
    Item: { ...widgetKey(botId, widget.webhookId), ...widget },
    ...(widget.version === 1
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: '#version = :before',
          ExpressionAttributeNames: { '#version': 'version' },
          ExpressionAttributeValues: { ':before': widget.version - 1 },
        }),
  },
  onRefused: otherVersion,
});

export const removeWidget = (botId: string, webhookId: string): Write => ({
  remove: { Key: widgetKey(botId, webhookId) },
  onRefused: unconditional,
});
