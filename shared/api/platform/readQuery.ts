import type { APIGatewayProxyEvent } from 'aws-lambda';
import { invalidValue } from '#shared/core/invalidValue.ts';
import { FORBIDDEN_NAME_FAULT } from '#shared/core/jsonScan.ts';

/** Has no prototype, because callers may name a tag `constructor`. */
interface Parameters {
  [name: string]: string | string[] | Parameters;
}

/**
 * Parses dots and brackets in names as nesting (docs/api/conventions.md#query-encoding).
 * @throws ApiError InvalidPayload
 */
export function readQuery({
  multiValueQueryStringParameters,
}: Pick<APIGatewayProxyEvent, 'multiValueQueryStringParameters'>): Record<string, unknown> {
  const query: Parameters = Object.create(null);
  for (const [name, values = []] of Object.entries(multiValueQueryStringParameters ?? {})) {
    const path = name.split(/[.[\]]+/).filter(Boolean);
    if (path.includes('__proto__')) throw invalidValue(path.join('.'), FORBIDDEN_NAME_FAULT);
    const last = path.pop();
    if (last === undefined) continue;
    let parent = query;
    for (const each of path) {
      const child: Parameters[string] = parent[each] ?? Object.create(null);
      if (typeof child === 'string' || Array.isArray(child)) throw isBoth(name);
      parent[each] = child;
      parent = child;
    }
    parent[last] = added(parent[last], values, name);
  }
  return query;
}

/** @param before values of the same parameter in another encoding */
function added(before: Parameters[string] | undefined, values: string[], name: string): string | string[] {
  if (before !== undefined && typeof before !== 'string' && !Array.isArray(before)) throw isBoth(name);
  const all = [...(before === undefined ? [] : [before].flat()), ...values];
  return all.length === 1 ? all[0]! : all;
}

const isBoth = (name: string) => invalidValue(name, 'Send this parameter as a value or as an object, not as both.');
