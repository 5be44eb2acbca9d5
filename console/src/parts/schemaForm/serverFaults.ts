/** Assigns the API's issues to the fields of a form. */
import { isolate } from '../../messages/bidi.ts';
import { type Field, idOf } from './formFields.ts';

export interface ServerFaults {
  byField: Readonly<Record<string, string>>;
  /** Messages that match no field of the form. */
  others: readonly string[];
}

interface Issue {
  path: string;
  message: string;
}

const isIssue = (value: unknown): value is Issue =>
  typeof (value as Issue | null)?.path === 'string' && typeof (value as Issue).message === 'string';

/** Returns undefined for errors without issues below the prefix. */
export function serverFaultsOf(error: unknown, fields: readonly Field[], prefix: string): ServerFaults | undefined {
  const { metadata } = (error ?? {}) as { metadata?: { issues?: unknown } };
  const issues = (Array.isArray(metadata?.issues) ? metadata.issues : []).filter(isIssue);
  const own = issues.filter(({ path }) => path === prefix || path.startsWith(`${prefix}.`));
  if (own.length === 0) return undefined;
  const leaves = leavesOf(fields);
  const byField: Record<string, string> = {};
  const others: string[] = [];
  for (const issue of own) {
    const path = issue.path.slice(prefix.length + 1);
    const text = withoutPath(issue);
    const field = leaves.find(each => isAtOrBelow(path, each.path.join('.')));
    if (!field) others.push(path === '' ? text : `${isolate(path)}: ${text}`);
    else byField[idOf(field)] ??= positionIn(field, path) + text;
  }
  return { byField, others };
}

const leavesOf = (fields: readonly Field[]): Field[] =>
  fields.flatMap(field => (field.kind === 'group' ? leavesOf(field.fields) : [field]));

const isAtOrBelow = (path: string, parent: string) => parent === '' || path === parent || path.startsWith(`${parent}.`);

/** Messages may repeat the path for clients that show only them. */
const withoutPath = ({ path, message }: Issue) =>
  message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message;

/** Returns the line of a list, or the position in a JSON text. */
function positionIn({ path, kind }: Field, faultPath: string): string {
  const rest = faultPath.slice(path.join('.').length).replace(/^\./, '');
  if (rest === '') return '';
  return kind === 'lines' ? `${Number(rest) + 1}: ` : `${isolate(rest)}: `;
}
