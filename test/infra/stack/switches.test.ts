/**
 * Simulates how CloudFormation updates the nested stacks, in the order of their dependencies: what a template adds
 * exists after the update of its stack, and what it removes exists until all stacks are updated.
 */
import { describe, expect, it } from 'vitest';
import { referencesIn, type Synthesised, synthesised } from './template.ts';

const ALARMS = { alarmEmail: 'you@example.com' };

const AT_ONCE = ALARMS;
const GRADUAL = { ...ALARMS, rollout: 'gradual' };

type Context = Record<string, string>;

/** Functions and aliases of a template, such as `Parley-admin-getBot` and `Parley-admin-getBot:live`. */
function targetsIn(resources: Synthesised['root']): string[] {
  const names = new Map<string, string>();
  for (const [id, { Type, Properties }] of Object.entries(resources))
    if (Type === 'AWS::Lambda::Function' && Properties.FunctionName) names.set(id, Properties.FunctionName);
  const aliases = Object.values(resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::Alias')
    .map(({ Properties }) => `${names.get(Properties.FunctionName.Ref)}:${Properties.Name}`);
  return [...names.values(), ...aliases];
}

const routesIn = (resources: Synthesised['root']): string[] =>
  Object.values(resources)
    .filter(({ Type }) => ['AWS::ApiGateway::RestApi', 'AWS::ApiGatewayV2::Integration'].includes(Type))
    .map(({ Properties }) => JSON.stringify(Properties.Body ?? Properties.IntegrationUri ?? ''))
    .flatMap(text => [...text.matchAll(/:function:(Parley-[\w-]+(?::live)?)/g)])
    .map(([, target]) => target!);

interface Update {
  name: string;
  resources: Synthesised['root'];
  /** Targets of the routes that a deployment in the stack publishes. */
  published: string[];
}

/** Yields the nested stacks in an order of their update, and finally the root's own resources. */
function* updatesOf({ root, parts }: Synthesised): Generator<Update> {
  const waiting = nestedStacksOf(root);
  const updates: Update[] = [];
  const nameOf = (id: string) => id.split('NestedStack')[0]!;
  while (waiting.size > 0) {
    const ready = [...waiting].filter(([, needed]) => ![...waiting.keys()].some(each => needed.has(each)));
    if (ready.length === 0) throw new Error(`A cycle of ${[...waiting.keys()].map(nameOf).join(', ')}.`);
    for (const [id] of ready) {
      waiting.delete(id);
      const resources = parts.get(id)!;
      const deployed = Object.values(resources).filter(({ Type }) => /^AWS::ApiGateway(V2)?::Deployment$/.test(Type));
      const api = deployed.length > 0 ? updates.find(({ name }) => name === `${nameOf(id)}Api`)! : undefined;
      const update = { name: nameOf(id), resources, published: api ? routesIn(api.resources) : [] };
      updates.push(update);
      yield update;
    }
  }
  yield { name: 'root', resources: root, published: [] };
}

/** Returns a template's nested stacks with all resources on which each depends, directly or not. */
function nestedStacksOf(root: Synthesised['root']): Map<string, ReadonlySet<string>> {
  const references = referencesIn(root);
  const collect = (id: string, found = new Set<string>()): Set<string> => {
    for (const each of references.get(id)!) if (!found.has(each)) collect(each, found.add(each));
    return found;
  };
  const nested = [...references.keys()].filter(id => root[id]!.Type === 'AWS::CloudFormation::Stack');
  return new Map(nested.map(id => [id, collect(id)]));
}

/** Returns the published routes without a target, with the step of the update. */
function missingTargets(before: Context, after: Context): string[] {
  const targets = new Set([...updatesOf(synthesised(before))].flatMap(({ resources }) => targetsIn(resources)));
  return [...updatesOf(synthesised(after))].flatMap(({ name, resources, published }) => {
    for (const target of targetsIn(resources)) targets.add(target);
    return published.filter(route => !targets.has(route)).map(route => `${name}: ${route}`);
  });
}

describe('each route has a target at each step of an update', () => {
  it.each<[string, Context, Context]>([
    ['without a change of settings', AT_ONCE, AT_ONCE],
    ['from rollout=at-once to gradual', AT_ONCE, GRADUAL],
    ['from rollout=gradual to at-once', GRADUAL, AT_ONCE],
  ])('%s', (_, before, after) => {
    const missing = missingTargets(before, after);

    expect(missing).toEqual([]);
  });
});

it('publishes a route after its function, so that new operations work immediately', () => {
  const updates = [...updatesOf(synthesised(AT_ONCE))];

  const stepOf = (target: string) => updates.findIndex(({ resources }) => targetsIn(resources).includes(target));
  const published = updates.flatMap((update, step) => update.published.map(target => ({ target, step })));
  const early = published.filter(({ target, step }) => stepOf(target) > step).map(({ target }) => target);

  expect(published.length).toBeGreaterThan(400);
  expect(published.map(({ target }) => target)).toContain('Parley-socket-connect');
  // A resource of the root, on which the stage depends.
  expect(early).toEqual(['Parley-api-apiRoot']);
});
