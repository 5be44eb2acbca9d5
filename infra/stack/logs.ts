/** Log groups: one per group of operations, one for consumers and one per API's access log. A search names only ten. */
import { Aws, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Api } from '#infra/gateway/apis.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { logPrefix } from './logPrefix.ts';

const DEFAULT_RETENTION_DAYS = 30;

export class Logs extends Construct {
  readonly #groups = new Map<string, LogGroup>();

  constructor(scope: Construct) {
    super(scope, 'Logs');
  }

  /** Returns a function's log group: `chat` for `chat-createMessage`, `events` for a consumer. */
  ofFunction = (name: string): LogGroup => this.named(name.includes('-') ? name.split('-')[0]! : 'events');

  /**
   * Returns an API's access log. Its name contains the GUID of the stack. API Gateway recreates a deleted group if log
   * lines arrive late (aws/serverless-application-model#2502), and a fixed name would make the next deployment fail.
   */
  accessLogOf(api: Api['name']): LogGroup {
    const stackGuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
    return this.named(`access-${api}`, `-${stackGuid}`);
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
