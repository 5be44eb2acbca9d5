/** Tests the deployment order of nested stacks. */
import { expect, it } from 'vitest';
import { EVERY_SETTING } from './everySetting.ts';
import { referencesIn, type Synthesised, synthesised } from './template.ts';

/** Returns the nested stacks that must be deployed before another. */
function predecessors({ root, parts }: Synthesised, name: string): string[] {
  const [, needed] = [...referencesIn(root)].find(([id]) => id.startsWith(`${name}NestedStack`))!;
  return needed
    .filter(id => parts.has(id))
    .map(id => id.split('NestedStack')[0]!)
    .sort();
}

const plain = synthesised();
const withDomains = synthesised(EVERY_SETTING);

it('creates the APIs sequentially, because an account can import one every three seconds', () => {
  expect(predecessors(plain, 'PlatformApi')).toEqual(['ChatApi']);
  expect(predecessors(plain, 'WebhookApi')).toEqual(['PlatformApi']);
  expect(predecessors(plain, 'SocketApi')).toEqual(['WebhookApi']);
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
  expect(before('Socket')).toEqual(['Webhook', 'socketfunctions']);
});

it('publishes the base URL after its function', () => {
  const [, needed] = [...referencesIn(plain.root)].find(([id]) => id.startsWith('PlatformNestedStack'))!;

  expect(needed.map(id => plain.root[id]!.Properties?.Description)).toContain('apiRoot');
});
