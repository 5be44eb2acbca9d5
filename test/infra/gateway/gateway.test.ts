/**
 * Tests API Gateway's rules for a definition, which emulators do not enforce, and that the checks detect broken
 * definitions.
 */
import { describe, expect, it } from 'vitest';
import { apis } from '#infra/gateway/apis.ts';
import { ANY_METHOD, type GatewayDocument, gatewayDocument } from '#infra/gateway/gatewayDocument.ts';

const MAX_RESOURCES = 300;

/** Returns paths that API Gateway rejects on import or routes differently. */
function faultsOf(paths: string[]): string[] {
  const faults: string[] = [];
  const resources = new Set<string>();
  const variables = new Map<string, string>();
  // Every API has the root.
  for (const path of paths.filter(each => each !== '/')) {
    const segments = path.split('/').slice(1);
    segments.forEach((segment, i) => {
      const parent = `/${segments.slice(0, i).join('/')}`;
      resources.add(`/${segments.slice(0, i + 1).join('/')}`);
      if (segment.endsWith('+}') && i < segments.length - 1) faults.push(`greedy ${segment} is not last in ${path}`);
      if (segment.startsWith('{')) {
        const sibling = variables.get(parent);
        if (sibling !== undefined && sibling !== segment) faults.push(`${parent} has both ${sibling} and ${segment}`);
        variables.set(parent, segment);
      } else if (!/^[A-Za-z0-9._~:-]+$/.test(segment)) faults.push(`${segment} cannot be a path part`);
    });
    const names = segments.filter(segment => segment.startsWith('{'));
    if (new Set(names).size !== names.length) faults.push(`${path} names a variable twice`);
    if (path.endsWith('/')) faults.push(`${path} ends with a slash`);
  }
  if (resources.size > MAX_RESOURCES) faults.push(`${resources.size} resources`);
  return faults;
}

describe.each(apis.map(api => [api.name, gatewayDocument(api, () => ({}))] as [string, GatewayDocument]))(
  'the gateway document of %s',
  (_, { paths }) => {
    it('follows every rule of API Gateway', () => {
      expect(faultsOf(Object.keys(paths))).toEqual([]);
    });

    it('declares every path variable, and accepts OPTIONS on every path', () => {
      for (const [path, methods] of Object.entries(paths)) {
        const names = [...path.matchAll(/\{(\w+)\+?\}/g)].map(match => match[1]);
        expect(Object.keys(methods).some(method => method === 'options' || method === ANY_METHOD)).toBe(true);
        for (const { parameters } of Object.values(methods)) expect(parameters.map(({ name }) => name)).toEqual(names);
      }
    });
  },
);

describe('the check', () => {
  it.each([
    [['/c/{id}', '/c/{conversationId}/messages'], '/c has both {id} and {conversationId}'],
    [['/f/{x+}/y'], 'greedy {x+} is not last in /f/{x+}/y'],
    [['/f/{x+}', '/f/{y}'], '/f has both {x+} and {y}'],
    [['/a/{p}/b/{p}'], '/a/{p}/b/{p} names a variable twice'],
    [['/hello/'], '/hello/ ends with a slash'],
    [Array.from({ length: 301 }, (_, i) => `/r${i}`), '301 resources'],
  ])('detects %j', (paths, fault) => {
    expect(faultsOf(paths)).toContain(fault);
  });
});
