/** Routes requests by the gateway's document. `%2F` does not separate segments. */
import { ANY_METHOD, type GatewayDocument } from '#infra/gateway/gatewayDocument.ts';
import type { LambdaHandler } from '#shared/api/chain/chain.ts';

export interface Stage {
  basePath: string;
  /** First label of a host that serves the API without the base path, as in `webhook.localhost`. */
  host?: string;
  document: GatewayDocument;
  handlerOf(functionName: string): LambdaHandler;
}

interface Integration {
  name: string;
  timeoutMs: number;
  handle: LambdaHandler;
}

export interface Route {
  path: string;
  segments: string[];
  integrations: Map<string, Integration>;
}

export interface Router {
  basePath: string;
  host?: string | undefined;
  routes: Route[];
}

/** Sorts static segments before variables, because they take precedence in API Gateway. */
export const routerOf = ({ basePath, host, document, handlerOf }: Stage): Router => ({
  basePath,
  host,
  routes: Object.entries(document.paths)
    .map(([path, methods]) => ({
      path,
      segments: path === '/' ? [] : path.split('/').slice(1),
      integrations: new Map(
        Object.entries(methods).map(([method, { 'x-amazon-apigateway-integration': integration }]) => {
          const name = String(integration.uri);
          const timeoutMs = Number(integration.timeoutInMillis);
          return [method === ANY_METHOD ? 'ANY' : method.toUpperCase(), { name, timeoutMs, handle: handlerOf(name) }];
        }),
      ),
    }))
    .sort((a, b) => rank(a).localeCompare(rank(b))),
});

const isVariable = (segment: string) => segment.startsWith('{');
const isGreedy = (segment: string | undefined) => segment?.endsWith('+}') ?? false;
const rank = ({ segments }: Route) => segments.map(segment => (isVariable(segment) ? '1' : '0')).join('');

/**
 * Returns the route with encoded parameters. Observations of AWS differ: both encoded and decoded parameters are
 * reported.
 */
export function findRoute(
  routers: readonly Router[],
  { hostname, pathname }: Pick<URL, 'hostname' | 'pathname'>,
): { route: Route; parameters: Record<string, string> } | undefined {
  const label = hostname.split('.')[0];
  const named = routers.find(({ host }) => host !== undefined && host === label && hostname !== label);
  for (const { basePath, routes } of named ? [{ ...named, basePath: '' }] : routers) {
    if (basePath && pathname !== basePath && !pathname.startsWith(`${basePath}/`)) continue;
    // `/hello/` reaches the resource `/hello`.
    const given = pathname.slice(basePath.length).replace(/\/$/, '').split('/').slice(1);
    const route = routes.find(
      ({ segments }) =>
        (segments.length === given.length || (isGreedy(segments.at(-1)) && segments.length <= given.length)) &&
        segments.every((segment, i) => (isVariable(segment) ? given[i] !== '' : segment === given[i])),
    );
    if (route) return { route, parameters: parametersOf(route, given) };
  }
  return undefined;
}

const parametersOf = ({ segments }: Route, given: string[]): Record<string, string> =>
  Object.fromEntries(
    segments.flatMap((segment, i) => {
      if (!isVariable(segment)) return [];
      if (isGreedy(segment)) return [[segment.slice(1, -2), given.slice(i).join('/')]];
      return [[segment.slice(1, -1), given[i]!]];
    }),
  );
