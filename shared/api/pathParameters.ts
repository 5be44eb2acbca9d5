/**
 * Reads `event.path`, because recorded events contain encoded values in `event.pathParameters`, contrary to AWS's docs.
 */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { invalidPayload } from '#shared/core/errors.ts';

type RoutedEvent = Pick<APIGatewayProxyEvent, 'resource' | 'path' | 'pathParameters'>;

const VARIABLE = /^\{(\w+)\+?\}$/;
const isGreedy = (segment: string | undefined) => segment?.endsWith('+}') ?? false;

/** Returns decoded values without a greedy variable. @throws ApiError InvalidPayload for malformed encoding */
export function pathParametersOf(event: RoutedEvent): Record<string, string> {
  const { route, path, start } = matched(event);
  return Object.fromEntries(
    route.flatMap((segment, i) => {
      const name = VARIABLE.exec(segment)?.[1];
      return name === undefined ? [] : [[name, decoded(path[start + i] ?? '')]];
    }),
  );
}

/** Returns the encoded path after the route: `/a%2Fb/` for `/{id}/{rest+}`, `/` or an empty string for `/{id}`. */
export function pathAfterRoute(event: RoutedEvent): string {
  const { route, path, start } = matched(event);
  return path
    .slice(start + route.length)
    .map(segment => `/${segment}`)
    .join('');
}

/** Returns the route's segments without a greedy one, the path's segments, and the index at which the route starts. */
function matched(event: RoutedEvent): { route: string[]; path: string[]; start: number } {
  const all = event.resource.split('/').slice(1);
  const path = event.path.split('/').slice(1);
  const route = all.filter(segment => !isGreedy(segment));
  if (route.length < all.length) return { route, path, start: startOfGreedy(route, path, event) };

  // Matches segments from the end, because the base path of a custom domain precedes the route. A trailing slash is
  // ignored.
  const length = path.at(-1) === '' ? path.length - 1 : path.length;
  return { route, path, start: length - route.length };
}

/** Finds the start of a greedy route by the value of its first variable, which must need no encoding. */
function startOfGreedy(route: string[], path: string[], { pathParameters }: RoutedEvent): number {
  const first = route.findIndex(segment => VARIABLE.test(segment));
  const name = VARIABLE.exec(route[first] ?? '')?.[1] ?? '';
  const value = pathParameters?.[name];
  return value === undefined ? 0 : Math.max(path.indexOf(value) - first, 0);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalidPayload(
      'The path has a malformed percent-encoding. Encode each of its values once, as UTF-8: `%2F` for a slash.',
      'path',
    );
  }
}
