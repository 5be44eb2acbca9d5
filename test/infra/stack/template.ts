/** Synthesizes the CDK app's templates once per worker, without bundling the functions. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type CfnResource, NestedStack, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { EMBEDDER_LAYER } from '#infra/bundle/embedderLayer.ts';
import { functionNames } from '#infra/bundle/entries.ts';
import { ParleyStack } from '#infra/parleyStack.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { stackNameOf } from '#infra/stack/stackName.ts';
import { isComplete } from '#test/support/tier.ts';

interface Resource {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template is as deep as CloudFormation
  Properties: any;
  DeletionPolicy?: string;
}

type Resources = Record<string, Resource>;

export interface Synthesised {
  stack: ParleyStack;
  root: Resources;
  /** Each API with its stage. */
  chat: Resources;
  platform: Resources;
  webhook: Resources;
  /** Nested stacks by their logical ids in the root. */
  parts: ReadonlyMap<string, Resources>;
  stacks: Resources[];
  all: [string, Resource][];
  /** Functions of the platform with the policies of their roles. Excludes custom resources of the CDK. */
  functions: {
    description: string;
    properties: Resource['Properties'];
    /** Statements of the role's own policies. */
    statements: Statement[];
    /** Statements of the role's managed policies in nested stacks. */
    shared: Statement[];
    /** Actions of both. */
    actions: string[];
  }[];
}

interface Statement {
  Action: string | string[];
  Resource: unknown;
  Condition?: Record<string, Record<string, string | string[]>>;
}

/** Returns the ids of a template's resources with those that each refers to. */
export function referencesIn(resources: Resources): Map<string, readonly string[]> {
  const ids = Object.keys(resources);
  return new Map(
    Object.entries(resources).map(([id, resource]) => {
      const words = new Set(JSON.stringify(resource).match(/[A-Za-z0-9]+/g));
      return [id, ids.filter(each => each !== id && words.has(each))];
    }),
  );
}

const cached = new Map<string, Synthesised>();

/** @param context settings of docs/operations/settings.md */
export function synthesised(context: Record<string, string> = {}): Synthesised {
  const key = JSON.stringify(context);
  const known = cached.get(key);
  if (known) return known;
  const made = synthesise(context);
  cached.set(key, made);
  return made;
}

function synthesise(context: Record<string, string>): Synthesised {
  const bundles = mkdtempSync(join(tmpdir(), 'parley-bundles-'));
  for (const name of [...functionNames, EMBEDDER_LAYER]) {
    // The CDK requires an asset.
    mkdirSync(join(bundles, name));
    writeFileSync(join(bundles, name, 'index.js'), '');
  }
  const consoleFiles = mkdtempSync(join(tmpdir(), 'parley-console-'));
  mkdirSync(join(consoleFiles, 'assets'));
  for (const name of ['index.html', 'widget.js', 'assets/index.js']) writeFileSync(join(consoleFiles, name), '');
  // Skips the CDK's schema validation, which takes a third of the time.
  process.env.CDK_VALIDATION = isComplete || cached.size === 0 ? 'true' : 'false';
  const app = new App({
    context: { ...context, bundles, consoleFiles, 'aws:cdk:disable-stack-trace': true },
    treeMetadata: false,
  });
  const stack = new ParleyStack(app, stackNameOf(settingsOf(app)), {});
  const resources = (scope: Stack): Resources => Template.fromStack(scope).toJSON().Resources;
  const nested = stack.node.findAll().filter((child): child is NestedStack => NestedStack.isNestedStack(child));
  const parts = new Map(nested.map(each => [each.node.id, resources(each)]));
  const root = resources(stack);
  for (const folder of [bundles, consoleFiles]) rmSync(folder, { recursive: true });
  const stacks = [root, ...parts.values()];
  return {
    stack,
    root,
    chat: { ...parts.get('ChatApi'), ...parts.get('Chat') },
    platform: { ...parts.get('PlatformApi'), ...parts.get('Platform') },
    webhook: { ...parts.get('WebhookApi'), ...parts.get('Webhook') },
    parts: new Map(nested.map(each => [stack.getLogicalId(each.nestedStackResource as CfnResource), resources(each)])),
    stacks,
    all: stacks.flatMap(part => Object.entries(part)),
    functions: stacks.flatMap(part => functionsOf(part, nested.flatMap(sharedPoliciesOf))),
  };
}

/** Managed policy of a nested stack, with the output that passes its ARN to other stacks. */
interface SharedPolicy {
  output: string;
  statements: Statement[];
}

function sharedPoliciesOf(stack: Stack): SharedPolicy[] {
  const { Resources, Outputs = {} } = Template.fromStack(stack).toJSON();
  return Object.entries<{ Value: { Ref?: string } }>(Outputs).flatMap(([output, { Value }]) => {
    const resource: Resource | undefined = Resources[Value.Ref ?? ''];
    if (resource?.Type !== 'AWS::IAM::ManagedPolicy') return [];
    return [{ output, statements: resource.Properties.PolicyDocument.Statement }];
  });
}

function functionsOf(resources: Resources, sharedPolicies: readonly SharedPolicy[]): Synthesised['functions'] {
  return Object.values(resources)
    .filter(({ Type, Properties }) => Type === 'AWS::Lambda::Function' && Properties.FunctionName !== undefined)
    .map(({ Properties }) => {
      const roleId: string = Properties.Role['Fn::GetAtt'][0];
      const inline: Statement[] = resources[roleId]!.Properties.Policies.flatMap(
        (policy: { PolicyDocument: { Statement: Statement[] } }) => policy.PolicyDocument.Statement,
      );
      // Event sources add a separate policy.
      const attached: Statement[] = Object.values(resources)
        .filter(
          ({ Type, Properties: policy }) =>
            Type === 'AWS::IAM::Policy' && policy.Roles.some((role: { Ref: string }) => role.Ref === roleId),
        )
        .flatMap(({ Properties: policy }) => policy.PolicyDocument.Statement);
      const statements = [...inline, ...attached];
      // The root receives the output as a parameter of that name.
      const arns: string = JSON.stringify(resources[roleId]!.Properties.ManagedPolicyArns ?? []);
      const shared = sharedPolicies.filter(({ output }) => arns.includes(output)).flatMap(each => each.statements);
      return {
        description: Properties.Description,
        properties: Properties,
        statements,
        shared,
        actions: [...statements, ...shared].flatMap(({ Action }) => Action),
      };
    });
}
