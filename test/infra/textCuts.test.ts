/** Texts are cut by `startOf`, which never splits a surrogate pair. This test finds cuts that bypass it. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** Hashes, ids and times consist of ASCII. */
const ASCII =
  /\b(?:hash\w*|hex|digest|randomUUID|toISOString|toString|encodeTime|newKey)\b|^(?:id|sk|period|fraction)$/;

/** Other receivers of `slice(0, <limit>)`, by file: lists, bytes and ASCII, and texts that nobody reads. */
const ALLOWED: Record<string, readonly string[]> = {
  'console/src/pages/conversations/Details.tsx': [
    'data',
    '(await client.listWorkflows({ conversationId: id })).workflows',
  ],
  'console/src/alerts/alertText.ts': ['alerts'],
  'console/src/api/useOpenConversations.ts': ['bots'],
  'console/src/pages/Audit.tsx': ['records'],
  'console/src/pages/inbox/EarlierConversations.tsx': ['others'],
  'console/src/pages/inbox/RowLabels.tsx': ['labels'],
  'console/src/pages/inbox/followInbox.ts': ['pages', 'pageParams'],
  'console/src/pages/inbox/selection.ts': ['order'],
  // A date.
  'console/src/pages/inbox/transcript.ts': ['at'],
  'console/src/pages/inbox/useBulkActions.ts': ['failed'],
  'console/src/pages/logs/useLog.ts': ['lines'],
  // A date.
  'console/src/pages/reports/spans.ts': ['date'],
  'console/src/pages/tables/NewTable.tsx': ['(await readColumns(file))'],
  'console/src/pages/tables/TablePage.tsx': ['errors'],
  'console/src/pages/tables/readColumns.ts': ['file'],
  'functions/admin/workspaces/checkHandleAvailability.ts': ['taken'],
  'functions/botChat/deleteConversation.ts': ['participants'],
  'infra/docs/schemaFields.ts': ['values'],
  'infra/emulated/command.ts': ['args'],
  'infra/local/services/streamBatches.ts': ['queue'],
  'console/src/pages/Analytics.tsx': ['sums'],
  'console/src/pages/settings/Versions.tsx': ['versions'],
  'infra/operator/logQuery.ts': ['counted', 'found'],
  'shared/ai/embedders/embeddingModelId.ts': ["slug.replace(/^-/, '')"],
  // A header.
  'shared/api/chat/requireOrigin.ts': ['origin'],
  // Only its separators are counted.
  'shared/ai/extraction/formats/readCsv.ts': ['text'],
  'shared/ai/extraction/formats/unreadPages.ts': ['pages'],
  'shared/ai/search/keywordIndex.ts': ['some', 'rarestFirst([...countTerms(query).keys()])'],
  'shared/core/ids.ts': ['text', 'body'],
  // Characters, not halves of surrogate pairs.
  'shared/core/searchWords.ts': ['Array.from(word)'],
  'shared/domain/admin/bots/botConfiguration.ts': ['paths'],
  // A time.
  'shared/domain/admin/bots/versions.ts': ['iso(nowMs)'],
  'shared/domain/admin/linkToken.ts': ['earlier'],
  'shared/domain/admin/secretFields.ts': ['path'],
  'shared/domain/botChat/handoffs/queryInbox.ts': ['botIds'],
  'shared/domain/botChat/reports/readReport.ts': ['views'],
  'shared/domain/chat/listenCursor.ts': ['text', 'each'],
  'shared/domain/tables/find/readPage.ts': ['rows'],
  'shared/domain/tables/rows/checkRow.ts': ['unknown'],
  'shared/domain/tables/snapshot/findInFile.ts': ['rows'],
  'shared/outbound/code/answer.ts': ['given'],
  'shared/storage/dynamodb/chat/userConversations.ts': ['sorted', 'found'],
  // The definition of startOf for browsers.
  'widget/parts/payloadValues.ts': ['text', 'all'],
  // Positions and cursors, of base 62.
  'widget/talk/progress.ts': ['position', 'cursor', 'each'],
};

interface AnyNode {
  type: string;
  start: number;
  end: number;
  // biome-ignore lint/suspicious/noExplicitAny: a node of any type
  [key: string]: any;
}

function* nodesIn(value: unknown): Generator<AnyNode> {
  if (typeof value !== 'object' || value === null) return;
  if (typeof (value as AnyNode).type === 'string') yield value as AnyNode;
  for (const each of Object.values(value)) yield* nodesIn(each);
}

/** A number, a constant, or a variable named as a limit. Other bounds are positions in the text. */
const isLimit = ({ type, name = '', value, property }: AnyNode): boolean =>
  (type === 'Literal' && typeof value === 'number') ||
  (type === 'MemberExpression' && property.name !== 'length' && isLimit(property)) ||
  (type === 'Identifier' && (/^[A-Z][A-Z0-9_]+$/.test(name) || /max|most|limit|length|char/i.test(name)));

const LIST_METHODS = new Set(['filter', 'flatMap', 'map', 'sort', 'split']);

const isList = ({ type, callee }: AnyNode) =>
  type === 'ArrayExpression' || (type === 'CallExpression' && LIST_METHODS.has(callee.property?.name));

const CUTS = new Set(['slice', 'substring', 'substr']);

/** Returns the receivers of calls that cut at a limit. */
function cutsIn(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...nodesIn(parseSync(file, text).program)].flatMap(({ type, callee, arguments: bounds }) => {
    const isCut = type === 'CallExpression' && CUTS.has(callee.property?.name) && bounds.length === 2;
    if (!isCut || bounds[0].value !== 0 || !isLimit(bounds[1]) || isList(callee.object)) return [];
    return [text.slice(callee.object.start, callee.object.end).replaceAll(/\s+/g, ' ')];
  });
}

it('truncates texts only with startOf', () => {
  const files = globSync('{console/src,functions,infra,shared,widget}/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: ['**/node_modules', '**/dist'],
  }).filter(file => !file.endsWith('.d.ts'));
  expect(files.length).toBeGreaterThan(500);

  const found = files.flatMap(file => cutsIn(file).map(receiver => ({ file, receiver })));

  const others = found.filter(({ file, receiver }) => !ASCII.test(receiver) && !ALLOWED[file]?.includes(receiver));
  expect(others).toEqual([]);
});

it('lists only existing receivers', () => {
  const missing = Object.entries(ALLOWED).flatMap(([file, receivers]) => {
    const found = cutsIn(file);
    return receivers.filter(each => !found.includes(each)).map(each => `${file}: ${each}`);
  });

  expect(missing).toEqual([]);
});
