/**
 * Functions that serve listeners, by the setting `listeners`:
 *
 * - `functions` (default): each stream occupies one concurrent execution.
 * - `managed`: Lambda Managed Instances, where hundreds of streams share an environment. The instances run in a network
 *   that reaches only the table, the bucket and the log.
 *
 * A function's CapacityProviderConfig cannot change after its creation. Each mode therefore has its own functions with
 * their own names, and the gateway routes to those of the current mode.
 */
import { Fn } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import {
  ApplicationLogLevel,
  Architecture,
  CapacityProvider,
  type CapacityProviderFunctionOptions,
  LoggingFormat,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { apis } from '#infra/gateway/apis.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { functionNameOf } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations/operations.ts';

/** Lambda's minimum for a managed instance. 2 GB include one vCPU, whose thread polls for all listeners. */
export const MANAGED_MEMORY_MB = 2048;

/** Polling for an active conversation takes 1.4 ms of CPU per second, so this many use half a vCPU. */
const LISTENERS_PER_ENVIRONMENT = 400;

export const MANAGED_OPTIONS: CapacityProviderFunctionOptions = {
  perExecutionEnvironmentMaxConcurrency: LISTENERS_PER_ENVIRONMENT,
  executionEnvironmentMemoryGiBPerVCpu: 2,
};

/** Managed instances log JSON only. The levels keep every line of Parley, and drop Lambda's lines about success. */
export const MANAGED_LOGGING = {
  loggingFormat: LoggingFormat.JSON,
  applicationLogLevelV2: ApplicationLogLevel.INFO,
  systemLogLevelV2: SystemLogLevel.WARN,
};

/** Lambda runs an environment per zone. The failure of a zone ends a third of the streams. */
const ZONES = 3;

export const isListener = ({ streams, api }: Pick<Operation, 'streams' | 'api'>) =>
  streams !== undefined && api === 'chat';

const LISTENERS: ReadonlySet<string> = new Set(
  apis.flatMap(({ operations }) => operations.filter(isListener).map(functionNameOf)),
);

export const isOnManagedInstances = (scope: Construct, name: string): boolean =>
  LISTENERS.has(name) && settingsOf(scope).listeners === 'managed';

export const addManagedListeners = (scope: Construct): CapacityProvider | undefined =>
  settingsOf(scope).listeners === 'managed' ? new ManagedListeners(scope, 'Listeners').capacity : undefined;

class ManagedListeners extends Construct {
  readonly capacity: CapacityProvider;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    // The gateway endpoints are free. Only the log's endpoint has an hourly price. A NAT gateway is not needed.
    const network = new ec2.Vpc(this, 'Network', {
      // `maxAzs` has no effect in a stack without an account, for which the CDK selects two zones.
      availabilityZones: Array.from({ length: ZONES }, (_, i) => Fn.select(i, Fn.getAzs())),
      natGateways: 0,
      subnetConfiguration: [{ name: 'listeners', subnetType: ec2.SubnetType.PRIVATE_ISOLATED, cidrMask: 24 }],
      gatewayEndpoints: {
        table: { service: ec2.GatewayVpcEndpointAwsService.DYNAMODB },
        bucket: { service: ec2.GatewayVpcEndpointAwsService.S3 },
      },
    });
    network.addInterfaceEndpoint('Log', { service: ec2.InterfaceVpcEndpointAwsService.CLOUDWATCH_LOGS });
    this.capacity = new CapacityProvider(this, 'Capacity', {
      subnets: network.isolatedSubnets,
      securityGroups: [
        new ec2.SecurityGroup(this, 'Instances', { vpc: network, description: 'Parley: instances with listeners' }),
      ],
      architectures: [Architecture.ARM_64],
    });
  }
}
