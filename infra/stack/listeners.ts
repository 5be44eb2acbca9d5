/**
 * Where listeners wait, by the setting `listeners`:
 *
 * - `functions` (the default): a function each, and one of the account's concurrent executions each;
 * - `managed`: Lambda Managed Instances, where hundreds share an environment. Its instances run in a network of its
 *   own, which leads to the table, the bucket and the log, and nowhere else.
 *
 * A function's CapacityProviderConfig cannot change after its creation. Each mode therefore has its own functions with
 * their own names, and the gateway routes to those of the current mode.
 */
import { Fn } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import { Architecture, CapacityProvider, type CapacityProviderFunctionOptions } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { apis } from '#infra/gateway/apis.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { functionNameOf } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations.ts';

/** Lambda's least for a managed instance; 2 GB come with one vCPU, on whose thread all listeners share their looks. */
export const MANAGED_MEMORY_MB = 2048;

/**
 * Looking at a conversation that was quiet for less than five minutes takes about 1.4 ms of CPU a second, so these take
 * half a core. Lambda adds environments by the CPU that is used.
 */
const LISTENERS_PER_ENVIRONMENT = 400;

export const MANAGED_OPTIONS: CapacityProviderFunctionOptions = {
  perExecutionEnvironmentMaxConcurrency: LISTENERS_PER_ENVIRONMENT,
  executionEnvironmentMemoryGiBPerVCpu: 2,
};

/** Lambda runs an environment in each zone. The failure of a zone ends a third of the streams. */
const ZONES = 3;

/** Whether the operation streams the events of a conversation. */
export const isListener = ({ streams, api }: Pick<Operation, 'streams' | 'api'>) =>
  streams !== undefined && api === 'chat';

const LISTENERS: ReadonlySet<string> = new Set(
  apis.flatMap(({ operations }) => operations.filter(isListener).map(functionNameOf)),
);

/** Whether a function runs on managed instances. @param name of the bundle */
export const isOnManagedInstances = (scope: Construct, name: string): boolean =>
  LISTENERS.has(name) && settingsOf(scope).listeners === 'managed';

/** @returns undefined where each listener has a function */
export const addManagedListeners = (scope: Construct): CapacityProvider | undefined =>
  settingsOf(scope).listeners === 'managed' ? new ManagedListeners(scope, 'Listeners').capacity : undefined;

class ManagedListeners extends Construct {
  readonly capacity: CapacityProvider;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    // No NAT gateway: the gateway endpoints are free, and only the log's costs by the hour.
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
