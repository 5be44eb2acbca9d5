/**
 * The values of a path's variables, read from the path itself. AWS's documentation says that `event.pathParameters` holds them decoded,
 * and recorded events show them encoded; `event.path` keeps the encoding in all sources. So each segment is decoded here, exactly once.
 */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { invalidPayload } from '#shared/errors.ts';

type RoutedEvent = Pick<APIGatewayProxyEvent, 'resource' | 'path' | 'pathParameters'>;

/** `{name}`, or `{name+}`, which takes the rest of a path. */
const VARIABLE = /^\{(\w+)\+?\}$/;
const isGreedy = (segment: string | undefined) => segment?.endsWith('+}') ?? false;

/**
 * The values by the gateway's names of the variables. One that takes the rest of a path has none: {@link pathAfterRoute} reads it.
 * @throws ApiError InvalidPayload for a malformed percent-encoding
 */
export function pathParametersOf(event: RoutedEvent): Record<string, string> {
  const { route, path, start } = matched(event);
  return Object.fromEntries(
    route.flatMap((segment, i) => {
      const name = VARIABLE.exec(segment)?.[1];
      return name === undefined ? [] : [[name, decoded(path[start + i] ?? '')]];
    }),
  );
}

/** What the caller added to the route, as it wrote it: `/a%2Fb/` for `/{id}/{rest+}`, `/` or nothing for `/{id}`. */
export function pathAfterRoute(event: RoutedEvent): string {
  const { route, path, start } = matched(event);
  return path
    .slice(start + route.length)
    .map(segment => `/${segment}`)
    .join('');
}

/** The segments of the route that are not greedy, those of the path, and where in the path the route begins. */
function matched(event: RoutedEvent): { route: string[]; path: string[]; start: number } {
  const all = event.resource.split('/').slice(1);
  const path = event.path.split('/').slice(1);
  const route = all.filter(segment => !isGreedy(segment));
  if (route.length < all.length) return { route, path, start: startOfGreedy(route, path, event) };

  // From the right, because a custom domain's base path precedes the route. `/hello/` reaches the route `/hello`.
  const length = path.at(-1) === '' ? path.length - 1 : path.length;
  return { route, path, start: length - route.length };
}

/**
 * How much of a path the greedy variable took is unknown, so the value of the first variable tells where the route begins.
 * It must be a value that no encoding changes, such as an id.
 */
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
