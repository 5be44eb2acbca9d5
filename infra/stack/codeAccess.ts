/** The role of deployed code, and permissions to manage its functions at run time. A common name prefix limits them. */
import { ArnFormat, Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { codePrefixOf } from './stackName.ts';

const STACK_TAG = 'parley:stack';

export class Code extends Construct {
  readonly variables: Record<string, string>;
  readonly deployStatements: PolicyStatement[];
  readonly callStatements: PolicyStatement[];

  constructor(scope: Construct, id: string, { apiBaseUrl, kmsKey }: { apiBaseUrl: string; kmsKey: Key | undefined }) {
    super(scope, id);
    const stack = Stack.of(this);
    const prefix = codePrefixOf(stack.stackName);
    // The role may not write logs, because code could print gigabytes at the operator's expense. The platform stores
    // the lines that a call returns, within limits, and the log tail of a crashed process.
    const role = new Role(this, 'Role', {
      description: 'Parley: deployed code of bots and integrations. It has no permissions.',
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    const functions = stack.formatArn({
      service: 'lambda',
      resource: 'function',
      resourceName: `${prefix}*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    const { codeConcurrency: concurrency, codeMemoryMb, codeTimeoutSeconds, tags } = settingsOf(this);
    this.variables = {
      [VARIABLES.codePrefix]: prefix,
      [VARIABLES.codeTags]: JSON.stringify({ [STACK_TAG]: stack.stackName, ...tags }),
      [VARIABLES.codeRoleArn]: role.roleArn,
      ...(kmsKey ? { [VARIABLES.codeKmsKeyArn]: kmsKey.keyArn } : {}),
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
          // Tags of a new function.
          'lambda:TagResource',
          ...(concurrency === undefined ? [] : ['lambda:PutFunctionConcurrency']),
        ],
        resources: [functions],
      }),
      new PolicyStatement({
        actions: ['iam:PassRole'],
        resources: [role.roleArn],
        conditions: { StringEquals: { 'iam:PassedToService': 'lambda.amazonaws.com' } },
      }),
      // Lambda encrypts the environment with the creator's permissions, and grants the function's role access.
      ...(kmsKey
        ? [
            new PolicyStatement({ actions: ['kms:Encrypt'], resources: [kmsKey.keyArn] }),
            new PolicyStatement({
              actions: ['kms:CreateGrant'],
              resources: [kmsKey.keyArn],
              conditions: { Bool: { 'kms:GrantIsForAWSResource': 'true' } },
            }),
          ]
        : []),
    ];
  }
}
const optional = (name: string, value: number | undefined) => (value === undefined ? {} : { [name]: String(value) });
