/**
 * What deployed code runs with: one role for all of its functions, which the platform makes and removes itself. Their names start alike,
 * and the platform's own rights end there.
 */
import { ArnFormat, Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
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

  /** @param kmsKey encrypts the environment of the functions, which holds a key of the platform and the secrets of the code */
  constructor(scope: Construct, id: string, { apiBaseUrl, kmsKey }: { apiBaseUrl: string; kmsKey: Key | undefined }) {
    super(scope, id);
    const stack = Stack.of(this);
    const prefix = codePrefixOf(stack.stackName);
    // It has no right to write to CloudWatch Logs: code may print gigabytes, for which the operator would pay. The platform keeps the lines
    // that a call returns, within limits, and the end of the output of a crashed process, which Lambda returns without that right.
    const role = new Role(this, 'Role', {
      description: 'Parley: deployed code of bots and integrations. It may do nothing.',
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
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
          ...(concurrency === undefined ? [] : ['lambda:PutFunctionConcurrency']),
        ],
        resources: [functions],
      }),
      new PolicyStatement({
        actions: ['iam:PassRole'],
        resources: [role.roleArn],
        conditions: { StringEquals: { 'iam:PassedToService': 'lambda.amazonaws.com' } },
      }),
      // Lambda encrypts in the name of whoever creates the function, and grants its role to decrypt that function's environment only. So the
      // role of code needs no right of its own.
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
