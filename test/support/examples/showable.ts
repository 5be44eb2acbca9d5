/** Converts responses for the documentation: replaces values that vary between runs by examples of their form. */
import { EXAMPLE, EXAMPLE_DAY, exampleId, exampleUuid } from '#shared/api/reference/example.ts';
import { clock } from '#shared/core/clock.ts';

const EXAMPLES = new Set<string>(Object.values(EXAMPLE));
const DAY_MS = 24 * 3_600_000;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const IDS =
  /\b(convo|user|msg|evt|evb|handoff|note|reply|label|wf|file|kb|table|tjob|state|member|audit|share|pat|ses|bak|iak|intver|ifver|plugver|ver|wkspace|body)_[\w-]{20,}/g;
const UUIDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TOKENS = /\bbp_(pat|ses|lnk|bak|iak)_[\w-]{36,}/g;
/** Matches an export's id, which has no prefix. */
const SHORT_ID = /(?<=^|^export )[0-9A-Za-z]{10}$/;
/** Matches the unguessable last part of a path. */
const UNGUESSABLE = /(?<=\/)[\w-]{16,}(?=\?X-Amz|\.\w+$|$)/g;
/** Matches parameters of a sign-in at an identity provider. */
const SIGN_IN = /(?<=[?&](?:state|nonce|code_challenge)=)[\w-]{40,}/g;
const NEW_SHORT_ID = exampleId('export', 'New', 10).split('_')[1]!;
const MONTH = /^\d{4}-\d\d$/;
const OTHER = exampleUuid('other');

const isShown = (id: string) => EXAMPLES.has(id);

/** Fields with a secret or an opaque token, with the form and the replacement. */
const OPAQUE: Record<string, [RegExp, string]> = {
  key: [/^eyJ/, 'eyJhbGciOiJIUzI1NiJ9.example.of-a-user-key'],
  userKey: [/^eyJ/, 'eyJhbGciOiJIUzI1NiJ9.example.of-a-user-key'],
  inviteToken: [/./, 'example-of-an-invitation'],
  newSigningSecret: [/./, 'whsec_ExampleThatIsShownOnceOnly'],
  signingSecret: [/./, 'whsec_ExampleThatIsShownOnceOnly'],
  secret: [/./, 'example-of-a-secret'],
  state: [/^(?:[0-9A-Za-z]{32}|[\w-]{200,})$/, 'ExampleOfTheStateOfOneRoundTrip0'],
  nextToken: [/./, 'example-of-a-position-in-the-list'],
};

/** Fields that depend on the clock or the machine. */
const MEASURED: Record<string, number> = {
  created: Date.parse(`${EXAMPLE_DAY}T09:30:00Z`),
  latency: 420,
  ttft: 180,
  ms: 420,
  lines: 68,
  bytes: 11_338,
  score: 0.69,
};

/** @param origins addresses of this run, by those that are shown */
export function showable(value: unknown, origins: Readonly<Record<string, string>>, field = ''): unknown {
  if (Array.isArray(value)) return value.map(each => showable(each, origins, field));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, showable(each, origins, name)]));
  }
  if (typeof value === 'number') return MEASURED[field] ?? value;
  if (typeof value !== 'string') return value;
  if (MONTH.test(value)) return EXAMPLE_DAY.slice(0, 7);
  if (field === 'version' && /^1\.0\.\d+$/.test(value)) return '1.0.0';
  if (TIME.test(value)) return showableTime(value);
  const [form, example] = OPAQUE[field] ?? [];
  return form?.test(value) ? example : showableText(value, origins, field);
}

/** Preserves the offset from today in days. */
function showableTime(time: string): string {
  const days = Math.round((Date.parse(time) - clock.now()) / DAY_MS);
  if (Math.abs(days) > 400) return time;
  const shown = new Date(Date.parse(`${EXAMPLE_DAY}T00:00:00Z`) + days * DAY_MS).toISOString();
  const isMidnight = time.includes('T00:00:00');
  const isMonth = isMidnight && time.slice(8, 10) === '01';
  return `${shown.slice(0, isMonth ? 8 : 10)}${isMonth ? '01' : ''}${isMidnight ? 'T00:00:00.000Z' : 'T09:30:00.000Z'}`;
}

function showableText(text: string, origins: Readonly<Record<string, string>>, field: string): string {
  let shown = text;
  for (const [real, example] of Object.entries(origins)) shown = shown.replaceAll(real, example);
  return shown
    .replace(/\?X-Amz-[^"\s]*/g, '?X-Amz-Signature=…')
    .replace(/(?<=\bfile_\w+\.)[\w-]{16}(?=\.\d+$)/, 'ExampleRevision0')
    .replace(SHORT_ID, found => ((field === 'id' || field === 'value') && !EXAMPLES.has(found) ? NEW_SHORT_ID : found))
    .replace(TOKENS, (_, kind) => `bp_${kind}_ExampleThatIsShownOnceOnly`)
    .replace(IDS, (found, kind) => (isShown(found) ? found : exampleId(kind, 'New', found.length - kind.length - 1)))
    .replace(SIGN_IN, 'ExampleOfOneSignIn')
    .replace(UNGUESSABLE, found => (isShown(found) ? found : 'example-that-nobody-guesses'))
    .replace(UUIDS, found => (isShown(found) ? found : OTHER));
}

/** Lists ordered by random ids or simultaneous events. */
const UNORDERED = ['members', 'conversations'];

/** Removes differences between runs: times and the order of some lists. */
export const comparable = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, each) => {
    if (typeof each === 'string' && TIME.test(each)) return 'a time';
    return UNORDERED.includes(name) && Array.isArray(each)
      ? each.map((item: unknown) => JSON.stringify(item)).sort()
      : each;
  });
