/** X-Ray (setting `tracing`): one policy for all roles, because segments cannot be restricted to a resource. */
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { settingsOf } from '#infra/settings/settingsOf.ts';

export function addTracingPolicy(scope: Construct): ManagedPolicy | undefined {
  if (settingsOf(scope).tracing === 'off') return undefined;
  const actions = ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'];
  return new ManagedPolicy(scope, 'Tracing', { statements: [new PolicyStatement({ actions, resources: ['*'] })] });
}
