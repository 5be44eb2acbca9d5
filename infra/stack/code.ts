/**
 * What deployed code runs with: one role and one log group for all of its functions, which the platform makes and removes itself. Their
 * names start alike, and the platform's own rights end there.
 */
import { ArnFormat, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { VARIABLES } from '#shared/environment.ts';
import { codePrefixOf } from './stackName.ts';

export class Code extends Construct {
  readonly variables: Record<string, string>;
  /** Makes, tries out and removes functions. */
  readonly deployStatements: PolicyStatement[];
  /** Calls them. */
  readonly callStatements: PolicyStatement[];

  constructor(scope: Construct, id: string, { apiBaseUrl, logs }: { apiBaseUrl: string; logs: LogGroup }) {
    super(scope, id);
    const stack = Stack.of(this);
    const prefix = codePrefixOf(stack.stackName);
    const role = new Role(this, 'Role', {
      description: 'Parley: deployed code of bots and integrations. It may print, and nothing else.',
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        print: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              resources: [logs.logGroupArn],
            }),
          ],
        }),
      },
    });
    const functions = stack.formatArn({
      service: 'lambda',
      resource: 'function',
      resourceName: `${prefix}*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    const { codeConcurrency: concurrency, codeMemoryMb, codeTimeoutSeconds } = settingsOf(this);
    this.variables = {
      [VARIABLES.codePrefix]: prefix,
      [VARIABLES.codeRoleArn]: role.roleArn,
      [VARIABLES.codeLogGroup]: logs.logGroupName,
      [VARIABLES.apiBaseUrl]: apiBaseUrl,
      ...optional(VARIABLES.codeMemoryMb, codeMemoryMb),
      ...optional(VARIABLES.codeConcurrency, concurrency),
      ...optional(VARIABLES.codeTimeoutSeconds, codeTimeoutSeconds),
    };
    this.callStatements = [new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functions] })];
    this.deployStatements = [
      new PolicyStatement({
        actions: [
          ...['lambda:CreateFunction', 'lambda:DeleteFunction', 'lambda:GetFunction', 'lambda:InvokeFunction'],
          ...(concurrency === undefined ? [] : ['lambda:PutFunctionConcurrency']),
        ],
        resources: [functions],
      }),
      new PolicyStatement({
        actions: ['iam:PassRole'],
        resources: [role.roleArn],
        conditions: { StringEquals: { 'iam:PassedToService': 'lambda.amazonaws.com' } },
      }),
    ];
  }
}
const optional = (name: string, value: number | undefined) => (value === undefined ? {} : { [name]: String(value) });
