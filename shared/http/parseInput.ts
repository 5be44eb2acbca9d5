/** Path, query and body as the one input object that the operation declared. */
import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import { gatewayVariable, type Operation, pathVariables } from '../operation.ts';
import { ApiError } from './errors.ts';
import type { Middleware } from './startCall.ts';

// Without a locale every message of zod/mini is "Invalid input".
z.config(en());

export const parseInput = (operation: Operation): Middleware => {
  const variables = pathVariables(operation.path);
  return {
    before: ({ event }) => {
      const { call } = event;
      const bodySchema = (call.webhook.payloadExtensions && operation.extendedBody) || operation.body;
      const input: Record<string, unknown> = {
        ...(operation.query && parse(operation.query, event.queryStringParameters ?? {})),
        ...(bodySchema && parse(bodySchema, call.body ?? {})),
      };
      variables.forEach((name, i) => {
        input[name] = event.pathParameters?.[gatewayVariable(i)] ?? '';
      });
      call.input = input;
    },
  };
};

/** @throws ApiError InvalidPayload that names the path of every fault */
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
