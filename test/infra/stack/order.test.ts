/** Tests the deployment order of nested stacks. */
import { describe, expect, it } from 'vitest';
import { EVERY_SETTING } from './everySetting.ts';
import { type Synthesised, synthesised } from './template.ts';

const APIS = ['Chat', 'Platform', 'Webhook'];
const GROUPS = ['admin', 'botChat', 'chat', 'cognitive', 'files', 'tables', 'webhook'];

/** Returns the nested stacks that must be deployed before another. */
function predecessors({ root }: Synthesised, name: string): string[] {
  const nested = Object.entries(root).filter(([, { Type }]) => Type === 'AWS::CloudFormation::Stack');
  const [, resource] = nested.find(([id]) => id.startsWith(`${name}NestedStack`))!;
  return nested
    .filter(([id]) => JSON.stringify(resource).includes(`"${id}"`))
    .map(([id]) => id.split('NestedStack')[0]!)
    .sort();
}

const plain = synthesised();
const withDomains = synthesised(EVERY_SETTING);

describe('the APIs', () => {
  it('are created sequentially, because an account can import one API every three seconds', () => {
    expect(predecessors(plain, 'Platform')).toContain('Chat');
    expect(predecessors(plain, 'Webhook')).toContain('Platform');
  });

  it('come after the functions of their routes, if the operator sets the addresses', () => {
    expect(predecessors(withDomains, 'Chat')).toEqual(['chatfunctions']);
    expect(predecessors(withDomains, 'Platform')).toEqual(
      ['Chat', ...['admin', 'botChat', 'cognitive', 'files', 'tables'].map(group => `${group}functions`)].sort(),
    );
    expect(predecessors(withDomains, 'Webhook')).toEqual(['Platform', 'webhookfunctions']);
  });

  it('come after all functions but those that return a generated address', () => {
    const returning = GROUPS.filter(group =>
      predecessors(plain, `${group}functions`).some(each => APIS.includes(each)),
    );

    expect(returning).toEqual(['admin', 'botChat', 'chat', 'files']);
    expect(predecessors(plain, 'Platform')).toEqual(['Chat', 'cognitivefunctions', 'tablesfunctions']);
    expect(predecessors(plain, 'Webhook')).toEqual(['Platform', 'webhookfunctions']);
  });
});
