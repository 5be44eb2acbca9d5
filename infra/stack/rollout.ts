/**
 * Gradual rollouts, by the setting `rollout`: a tenth of an operation's calls reach a new version for five minutes. If callers begin to get
 * 5xx answers meanwhile, the former version takes all of them again, and the deployment fails.
 */
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type ILambdaApplication,
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { type IRole, ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { settingsOf } from '#infra/settings/settingsOf.ts';

/** The name by which gateways call the version that is live. */
export const LIVE = 'live';

export class Rollout extends Construct {
  readonly #application: ILambdaApplication;
  readonly #role: IRole;
  readonly #alarms: readonly IAlarm[];

  /** @param alarms that take a new version back */
  constructor(scope: Construct, alarms: readonly IAlarm[]) {
    super(scope, 'Rollout');
    this.#alarms = alarms;
    this.#application = new LambdaApplication(this, 'Application');
    this.#role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited')],
    });
  }

  add(scope: Construct, target: LambdaFunction): void {
    new LambdaDeploymentGroup(scope, 'Rollout', {
      application: this.#application,
      role: this.#role,
      alias: new Alias(scope, 'Live', { aliasName: LIVE, version: target.currentVersion }),
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [...this.#alarms],
    });
  }
}

/** @returns undefined where all calls reach a new version at once @throws Error without alarms, which would take nothing back */
export function addRollout(scope: Construct, alarms: readonly IAlarm[] | undefined): Rollout | undefined {
  if (settingsOf(scope).rollout === 'at-once') return undefined;
  if (!alarms)
    throw new Error('The setting rollout=gradual needs alarmEmail or alarmTopic: alarms take a version back.');
  return new Rollout(scope, alarms);
}
