/**
 * Proves from the source that each function has the environment variables that it may read. Without one, an operation
 * fails on AWS only, because the local platform sets all of them.
 */
import { describe, expect, it } from 'vitest';
import { VARIABLES } from '#shared/core/environment.ts';
import { reachedFrom } from '#test/support/callGraph.ts';
import { consumerEntries, type EntryPoint, operationEntries, socketEntries } from '#test/support/entryPoints.ts';
import { bodyOf, type Declared, type Node, nameOf, walk } from '#test/support/sourceModules.ts';
import { EVERY_SETTING } from './everySetting.ts';
import { synthesised } from './template.ts';

/** Required variables that depend on the group or on declared access. Tests of access cover queues and the bucket. */
const CHECKED = ['chatBaseUrl', 'apiBaseUrl', 'webhookBaseUrl', 'codePrefix', 'codeRoleArn', 'sealingKey'] as const;
type Checked = (typeof CHECKED)[number];

const known = new Map<Declared, string[]>();

/** Returns the members of `environment` that a declaration mentions. */
function variablesIn(declared: Declared): string[] {
  const before = known.get(declared);
  if (before) return before;
  const found: string[] = [];
  walk(bodyOf(declared), (node, ancestors) => {
    if (node.type !== 'Identifier' || node.name !== 'environment') return;
    const parent = ancestors.at(-1);
    if (parent?.type === 'MemberExpression' && parent.object === node) found.push(nameOf(parent.property as Node)!);
    if (parent?.type === 'VariableDeclarator' && parent.init === node && parent.id.type === 'ObjectPattern') {
      for (const each of parent.id.properties) if (each.type === 'Property') found.push(nameOf(each.key as Node)!);
    }
  });
  known.set(declared, found);
  return found;
}

const reachedVariables = ({ starts }: EntryPoint) => [
  ...new Set(
    reachedFrom({ starts, isFollowed: () => false }).flatMap(({ declared }) =>
      variablesIn(declared).filter((name): name is Checked => CHECKED.some(each => each === name)),
    ),
  ),
];

describe('a deployed function', () => {
  const entries = [...operationEntries, ...consumerEntries, ...socketEntries];
  const read = entries.flatMap(entry => reachedVariables(entry).map(name => ({ entry, name })));

  it('has the variables that its code may read', () => {
    const { functions } = synthesised(EVERY_SETTING);
    const variablesOf = new Map(
      functions.map(({ description, properties }) => [description, properties.Environment?.Variables ?? {}]),
    );

    const missing = read.filter(({ entry, name }) => !(VARIABLES[name] in (variablesOf.get(entry.name) ?? {})));

    expect(missing.map(({ entry, name }) => `${entry.name}: ${name}`)).toEqual([]);
  });

  it.each(CHECKED)('finds that it reads %s', variable => {
    expect(read.map(({ name }) => name)).toContain(variable);
  });
});
