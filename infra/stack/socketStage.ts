import { createHash } from 'node:crypto';
import { NestedStack } from 'aws-cdk-lib';
import { CfnDeployment, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Construct } from 'constructs';
import { SOCKET_LOG_FORMAT } from '#infra/gateway/accessLog.ts';
import type { Resources } from './resources.ts';
import { SOCKET_STAGE } from './socketAddress.ts';
import type { SocketApi } from './socketApi.ts';
import { throttlingOf } from './throttling.ts';

export class SocketStage extends NestedStack {
  constructor(scope: Construct, id: string, { api, resources }: { api: SocketApi; resources: Resources }) {
    super(scope, id, { description: 'Parley: the WebSocket API' });
    const { apiId, published } = api;
    // A deployment contains the routes of its creation, so changed routes need another one.
    const hash = createHash('sha256').update(JSON.stringify(published)).digest('hex').slice(0, 12);
    const deployment = new CfnDeployment(this, `Deployment${hash}`, { apiId });
    const { throttlingRateLimit, throttlingBurstLimit } = throttlingOf(this, 'socket');
    new CfnStage(this, 'Stage', {
      apiId,
      deploymentId: deployment.ref,
      stageName: SOCKET_STAGE,
      accessLogSettings: {
        destinationArn: resources.logs.accessLogOf('socket').logGroupArn,
        format: SOCKET_LOG_FORMAT,
      },
      defaultRouteSettings: { throttlingRateLimit, throttlingBurstLimit },
    });
  }
}
