/**
 * Log groups: one per group of operations, one for consumers, one per API's access log and one for the CDK's functions.
 */
import { Aspects, Aws, CfnResource, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct, type IConstruct } from 'constructs';
import type { Api } from '#infra/gateway/apis.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { logPrefix } from './logPrefix.ts';

const DEFAULT_RETENTION_DAYS = 30;

export class Logs extends Construct {
  readonly #groups = new Map<string, LogGroup>();

  constructor(scope: Construct) {
    super(scope, 'Logs');
    // Functions of custom resources, whose own groups would never expire.
    Aspects.of(Stack.of(this)).add({
      visit: node => {
        if (isFunctionWithoutGroup(node)) {
          const { logGroupName } = this.#uniquelyNamed('deployment');
          node.addPropertyOverride('LoggingConfig', { LogGroup: logGroupName });
        }
      },
    });
  }

  /** Returns a function's log group: `chat` for `chat-createMessage`, `events` for a consumer. */
  ofFunction = (name: string): LogGroup => this.named(name.includes('-') ? name.split('-')[0]! : 'events');

  /** Returns an API's access log. */
  accessLogOf = (api: Api['name'] | 'socket'): LogGroup => this.#uniquelyNamed(`access-${api}`);

  /**
   * Returns a group whose name contains the GUID of the stack. API Gateway and the CDK's functions recreate a deleted
   * group if log lines arrive late (aws/serverless-application-model#2502), and a fixed name would make the next
   * deployment fail.
   */
  #uniquelyNamed(name: string): LogGroup {
    const stackGuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
    return this.named(name, `-${stackGuid}`);
  }

  named(name: string, suffix = ''): LogGroup {
    const group =
      this.#groups.get(name) ??
      new LogGroup(this, name, {
        logGroupName: `${logPrefix(Stack.of(this).stackName)}${name}${suffix}`,
        retention: (settingsOf(this).logRetentionDays ?? DEFAULT_RETENTION_DAYS) as RetentionDays,
        removalPolicy: RemovalPolicy.DESTROY,
      });
    this.#groups.set(name, group);
    return group;
  }
}

/** The CDK declares some of its functions as plain resources. */
const isFunctionWithoutGroup = (node: IConstruct): node is CfnResource =>
  CfnResource.isCfnResource(node) &&
  node.cfnResourceType === CfnFunction.CFN_RESOURCE_TYPE_NAME &&
  !(node instanceof CfnFunction && node.loggingConfig);
