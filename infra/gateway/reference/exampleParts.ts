/** Adds examples to the parts of an operation's description. */
import { answerOf } from '#infra/gateway/examples/answers.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import type { JsonSchema } from './jsonSchemas.ts';
import { referenceOf } from './operationReferences.ts';

type Shown = { example?: unknown };

const shown = (value: unknown): Shown => (value === undefined ? {} : { example: value });

export function exampleOfParameter(
  operation: Operation,
  place: 'path' | 'query' | 'header',
  name: string,
  schema: JsonSchema,
): Shown {
  const { path, query, headers } = referenceOf(operation).example ?? {};
  const text = { path, query, header: headers }[place]?.[name];
  if (text === undefined) return {};
  if (schema.type === 'object') return { example: JSON.parse(text) };
  return { example: schema.type === 'array' ? [text] : text };
}

export const exampleOfBody = (operation: Operation): Shown => shown(referenceOf(operation).example?.body ?? {});

/** Adds the example's response to the content of its status. */
export function withResponse(
  operation: Operation,
  status: number,
  content: Record<string, JsonSchema>,
): Record<string, JsonSchema> {
  const answer = answerOf(operation);
  if (answer?.status !== status) return content;
  const example = operation.streams ? streamed(operation, answer.body as unknown[]) : answer.body;
  return Object.fromEntries(Object.entries(content).map(([type, each]) => [type, { ...each, example }]));
}

const streamed = ({ streamsAs }: Operation, parts: readonly unknown[]): string =>
  parts
    .map(part => JSON.stringify(part))
    .map(text => (streamsAs === 'lines' ? `${text}\n` : `data: ${text}\n\n`))
    .join('');
