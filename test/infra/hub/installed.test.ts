import { describe, expect, it } from 'vitest';
import type { Source } from '#infra/hub/catalog.ts';
import { SOURCE, stateOf } from '#infra/hub/installed.ts';
import type { Integration } from '#shared/storage/dynamodb/integrations/integrations.ts';

const source: Source = { name: 'slack', version: '1.10.0', path: 'integrations/slack', hash: 'new', interfaces: [] };
const installed = (version: string, hash?: string) =>
  ({ name: 'slack', version, attributes: hash === undefined ? {} : { [SOURCE]: hash } }) as unknown as Integration;

describe('stateOf', () => {
  it.each([
    ['absent', []],
    ['current', [installed('1.9.0', 'old'), installed('1.10.0', 'new')]],
    ['changed', [installed('1.9.0', 'old'), installed('1.10.0', 'old')]],
    ['behind', [installed('1.9.0', 'old')]],
    // Interrupted between the deployment and its record.
    ['changed', [installed('1.9.0', 'old'), installed('1.10.0')]],
    ['foreign', [installed('1.10.0')]],
  ] as const)('returns %s for %j', async (expected, versions) => {
    expect((await stateOf(source, versions)).state).toBe(expected);
  });
});
