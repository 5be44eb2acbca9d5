/**
 * Tests the references within templates. The CDK passes most of them between stacks as parameters, but misses some,
 * such as those of an update policy.
 */
import { NestedStack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { EVERY_SETTING } from './everySetting.ts';
import { synthesised } from './template.ts';

/** Returns the logical ids that a template refers to. */
function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { Ref, 'Fn::GetAtt': attribute, ...others } = value as { Ref?: string; 'Fn::GetAtt'?: string[] | string };
  return [
    ...(typeof Ref === 'string' ? [Ref] : []),
    ...(attribute === undefined ? [] : [([attribute].flat()[0] as string).split('.')[0]!]),
    ...Object.values(others).flatMap(references),
  ];
}

it.each([
  ['no setting', {}],
  ['every setting', EVERY_SETTING],
])('has a resource for every reference of a template, with %s', (_, context) => {
  const { stack } = synthesised(context);
  const stacks = stack.node.findAll().filter(each => each === stack || NestedStack.isNestedStack(each));

  expect(stacks.length).toBeGreaterThan(10);
  for (const each of stacks) {
    const template = Template.fromStack(each as typeof stack).toJSON();
    const { Resources = {}, Parameters = {} } = template;
    const missing = references(template).filter(
      id => !id.startsWith('AWS::') && !(id in Resources) && !(id in Parameters),
    );
    expect(missing, each.node.path).toEqual([]);
  }
});
