/**
 * Gradual rollouts (setting `rollout`): a new version receives a tenth of an operation's calls for five minutes. If an
 * API's 5xx rate triggers an alarm, CodeDeploy restores the former version, and the deployment fails.
 */
import { NestedStack, Stack } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type ILambdaApplication,
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { type IRole, ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, type CfnAlias, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { settingsOf } from '#infra/settings/settingsOf.ts';

export const LIVE = 'live';

export class Rollout extends Construct {
  readonly #applicationName: string;
  readonly #application: ILambdaApplication;
  readonly #role: IRole;
  readonly #alarms: readonly IAlarm[];
  readonly #stacks = new Map<string, NestedStack>();

  constructor(scope: Construct, alarms: readonly IAlarm[]) {
    super(scope, 'Rollout');
    this.#alarms = alarms;
    this.#applicationName = Stack.of(this).stackName;
    this.#application = new LambdaApplication(this, 'Application', { applicationName: this.#applicationName });
    this.#role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited')],
    });
  }

  /** Creates the alias and the deployment group of a function. @param scope its id is the function's name */
  add(scope: Construct, target: LambdaFunction, group: string): void {
    const alias = new Alias(scope, 'Live', { aliasName: LIVE, version: target.currentVersion });
    const deploymentGroupName = scope.node.id;
    const stack = this.#stackOf(group);
    new LambdaDeploymentGroup(stack, deploymentGroupName, {
      deploymentGroupName,
      application: this.#application,
      role: this.#role,
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [...this.#alarms],
    });
    // Names instead of references: the CDK does not resolve references of an update policy across nested stacks.
    (alias.node.defaultChild as CfnAlias).cfnOptions.updatePolicy = {
      codeDeployLambdaAliasUpdate: { applicationName: this.#applicationName, deploymentGroupName },
    };
    Stack.of(scope).node.addDependency(stack);
  }

  /** Separates deployment groups from the functions' stacks, which are near the limit of 500 resources. */
  #stackOf(group: string): NestedStack {
    const stack =
      this.#stacks.get(group) ?? new NestedStack(this, group, { description: `Parley: rollouts of ${group}` });
    this.#stacks.set(group, stack);
    return stack;
  }
}

/** @throws Error for a gradual rollout without alarms, which could not be rolled back */
export function addRollout(scope: Construct, alarms: readonly IAlarm[] | undefined): Rollout | undefined {
  if (settingsOf(scope).rollout === 'at-once') return undefined;
  if (!alarms) throw new Error('rollout=gradual requires alarms for rollbacks. Set alarmEmail or alarmTopic.');
  return new Rollout(scope, alarms);
}
