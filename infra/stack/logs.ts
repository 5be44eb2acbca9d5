/**
 * The log groups: one for the functions of each group of operations, one for the consumers, and one access log for each API, so that
 * a search names ten of them and not two hundred. Each line says which operation it is of.
 */
import { Aws, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { logPrefix } from './logPrefix.ts';

const DEFAULT_RETENTION_DAYS = 30;
/** Access logs. The operator's commands find them by this part of their names. */
const ACCESS = 'access-';

/**
 * Unlike a function, whose role may not, API Gateway creates a group again that was deleted before its last lines arrived
 * (aws/serverless-application-model#2502). Under a fixed name it would stop the next deployment, so this part differs for every stack.
 */
const suffix = () => `-${Fn.select(2, Fn.split('/', Aws.STACK_ID))}`;

export class Logs extends Construct {
  readonly #groups = new Map<string, LogGroup>();

  constructor(scope: Construct) {
    super(scope, 'Logs');
  }

  /** The group of a function: `chat` for `chat-createMessage`, `events` for a consumer. */
  ofFunction = (name: string): LogGroup => this.named(name.includes('-') ? name.split('-')[0]! : 'events');

  named(name: string): LogGroup {
    const group =
      this.#groups.get(name) ??
      new LogGroup(this, name, {
        logGroupName: `${logPrefix(Stack.of(this).stackName)}${name}${name.startsWith(ACCESS) ? suffix() : ''}`,
        retention: (settingsOf(this).logRetentionDays ?? DEFAULT_RETENTION_DAYS) as RetentionDays,
        removalPolicy: RemovalPolicy.DESTROY,
      });
    this.#groups.set(name, group);
    return group;
  }
}
