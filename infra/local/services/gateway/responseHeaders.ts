/**
 * Renames and drops headers of a function's response, as API Gateway does for REST APIs:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 */

const DROPPED: ReadonlySet<string> = new Set(
  'expect host proxy-authenticate te trailer transfer-encoding upgrade via'.split(' '),
);

const REMAPPED: ReadonlySet<string> = new Set(
  'authorization connection content-md5 date max-forwards server user-agent www-authenticate'.split(' '),
);

type Headers = Record<string, string>;

export const responseHeaders = (headers: Headers): Headers =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const lower = name.toLowerCase();
      if (DROPPED.has(lower)) return [];
      return [[REMAPPED.has(lower) ? `x-amzn-remapped-${lower}` : name, value]];
    }),
  );
