/** Tests the deployment order of nested stacks. */
import { expect, it } from 'vitest';
import { EVERY_SETTING } from './everySetting.ts';
import { type Synthesised, synthesised } from './template.ts';

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

it('creates the APIs sequentially, because an account can import one every three seconds', () => {
  expect(predecessors(plain, 'PlatformApi')).toEqual(['ChatApi']);
  expect(predecessors(plain, 'WebhookApi')).toEqual(['PlatformApi']);
});

it.each([
  ['with generated addresses', plain],
  ['with custom domains', withDomains],
])('publishes the routes sequentially, after their functions: %s', (_, stack) => {
  const before = (name: string) => predecessors(stack, name).filter(each => !each.endsWith('Api'));

  expect(before('Chat')).toEqual(['chatfunctions']);
  expect(before('Platform')).toEqual(
    ['Chat', ...['admin', 'botChat', 'cognitive', 'files', 'tables'].map(group => `${group}functions`)].sort(),
  );
  expect(before('Webhook')).toEqual(['Platform', 'webhookfunctions']);
});

it('publishes the base URL after its function', () => {
  const [, stage] = Object.entries(plain.root).find(([id]) => id.startsWith('PlatformNestedStack'))!;
  const [id] = Object.entries(plain.root).find(([, { Properties }]) => Properties?.Description === 'apiRoot')!;

  expect(JSON.stringify(stage)).toContain(`"${id}"`);
});
