import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** Files that the CDK reads, in this order. Parley's repository has no `cdk.context.json`. */
const FILES = ['cdk.json', 'cdk.context.json'] as const;

/** Arguments of `cdk deploy` that select what is deployed. */
export interface DeploymentContext {
  context: Record<string, unknown>;
  config: { profile?: string };
}

/** Returns the context as the CDK reads it, from its arguments and files. */
export function deploymentContext(given: readonly string[], directory: string): DeploymentContext {
  const { context: pairs = [], profile } = parseArgs({
    args: [...given],
    strict: false,
    options: { context: { type: 'string', short: 'c', multiple: true }, profile: { type: 'string' } },
  }).values;
  const files = FILES.map(name => contextIn(name, directory));
  return {
    context: { ...Object.assign({}, ...files), ...pairsOf(pairs) },
    config: typeof profile === 'string' ? { profile } : {},
  };
}

const pairsOf = (context: readonly (string | boolean)[]) =>
  Object.fromEntries(
    context.map(pair => {
      const [name, ...value] = String(pair).split('=');
      return [name, value.join('=')];
    }),
  );

function contextIn(name: (typeof FILES)[number], directory: string): Record<string, unknown> {
  const file = join(directory, name);
  if (!existsSync(file)) return {};
  const content = JSON.parse(readFileSync(file, 'utf8'));
  return name === 'cdk.json' ? (content.context ?? {}) : content;
}
