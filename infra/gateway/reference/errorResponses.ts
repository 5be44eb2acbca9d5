/** Error responses of the document. Identical responses share a component. */

import type { Operation } from '#shared/api/operations/operations.ts';
import type { DocumentedError } from '#shared/api/reference/errors.ts';
import { STATUS_OF, UNAVAILABLE } from '#shared/core/errors.ts';
import { errorsOf } from './errorsOf.ts';
import type { JsonSchema } from './jsonSchemas.ts';

export interface ErrorResponses {
  components: Record<string, unknown>;
  /** References by status. */
  of(operation: Operation): Record<string, { $ref: string }>;
}

export function errorResponses(): ErrorResponses {
  const components: Record<string, unknown> = {};
  const names = new Map<string, string>();
  const nameOf = (status: number, errors: readonly DocumentedError[]): string => {
    const key = JSON.stringify(errors);
    const known = names.get(key);
    if (known) return known;
    const stem = `Error${status}`;
    const number = [...names.values()].filter(name => name.split('-')[0] === stem).length + 1;
    const name = number === 1 ? stem : `${stem}-${number}`;
    names.set(key, name);
    components[name] = response(status, errors);
    return name;
  };
  return {
    components,
    of: operation => {
      const byStatus = Map.groupBy(errorsOf(operation), ({ status }) => status);
      return Object.fromEntries(
        [...byStatus].map(([status, errors]) => [status, { $ref: `#/components/responses/${nameOf(status, errors)}` }]),
      );
    },
  };
}

const RETRIES = new Set([429, UNAVAILABLE]);

const response = (status: number, errors: readonly DocumentedError[]) => ({
  description: errors.map(({ type, when }) => `\`${type}\`: ${when}`).join('\n\n'),
  ...(RETRIES.has(status)
    ? { headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'string' } } } }
    : {}),
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      example: {
        id: 'err_20260115093000x0A1B2C3D',
        code: status,
        type: errors[0]!.type,
        message: errors[0]!.when,
      },
    },
  },
});

export function errorSchema(): JsonSchema {
  return {
    type: 'object',
    required: ['id', 'code', 'type', 'message'],
    properties: {
      id: { type: 'string', description: 'The id of the error in the log.' },
      code: { type: 'integer', description: 'The HTTP status.' },
      type: { type: 'string', enum: Object.keys(STATUS_OF) },
      message: { type: 'string', description: 'The problem and the fix.' },
      metadata: { type: 'object', description: 'Details, such as `issues` with the `path` of each invalid value.' },
    },
  };
}
