import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import { gatewayVariable, type ObjectSchema, pathVariables } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { pathParametersOf } from '#shared/api/pathParameters.ts';
import { ApiError } from '#shared/core/errors.ts';
import { type CallState, header, type Middleware } from './startCall.ts';

// zod/mini needs a locale for specific messages.
z.config(en());

type ReadQuery = (event: APIGatewayProxyEvent) => Record<string, unknown>;

export const parseInput =
  (readQuery: ReadQuery, bodySchemaOf: (operation: Operation, call: CallState) => z.ZodMiniType | undefined) =>
  (operation: Operation): Middleware => {
    const variables = pathVariables(operation.path);
    return {
      before: ({ event }) => {
        const { call } = event;
        const bodySchema = bodySchemaOf(operation, call);
        const input: Record<string, unknown> = {
          ...(operation.query && parse(operation.query, readQuery(event))),
          ...(bodySchema && parse(bodySchema, call.body ?? {})),
          ...(operation.headers && parse(operation.headers, headersOf(operation.headers, event))),
        };
        const values = pathParametersOf(event);
        variables.forEach((name, i) => {
          input[name] = values[gatewayVariable(i)] ?? '';
        });
        call.input = input;
      },
    };
  };

const headersOf = ({ shape }: ObjectSchema, event: APIGatewayProxyEvent) =>
  Object.fromEntries(Object.keys(shape).map(name => [name, header(event, name)]));

/** @throws ApiError InvalidPayload that lists the first 10 issues with their paths */
function parse(schema: z.ZodMiniType, value: unknown): Record<string, unknown> {
  const result = schema.safeParse(value);
  if (result.success) return result.data as Record<string, unknown>;

  const issues = result.error.issues.flatMap(issuesOf).slice(0, 10);
  const message = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ');
  throw new ApiError('InvalidPayload', message, { metadata: { issues } });
}

function issuesOf(issue: z.core.$ZodIssue): { path: string; message: string }[] {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(key => ({
      path: [...issue.path, key].join('.'),
      message: 'This property is not allowed here.',
    }));
  }
  return [{ path, message: issue.message }];
}
