/**
 * Routes of the console's distribution to the chat API and the WebSocket API: both have one address, as clients of the
 * chat expect. Except for the content of the widget, nothing is cached, compressed or buffered, so event streams pass
 * through.
 */

import { join } from 'node:path';
import { Aws, Duration, Stack } from 'aws-cdk-lib';
import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  AllowedMethods,
  type BehaviorOptions,
  CacheHeaderBehavior,
  CachePolicy,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { Construct } from 'constructs';
import { EDGE_HEADER } from '#shared/api/callerAddress.ts';
import { edgeKeyOf } from './edgeKey.ts';
import { SOCKET_STAGE } from './socketAddress.ts';
import type { SocketApi } from './socketApi.ts';
import { globalName } from './stackName.ts';

export const CHAT_ROUTING = join(import.meta.dirname, 'chatRouting.js');

/** CloudFront's maximum without a quota increase. Streams send a byte at least every 30 seconds. */
const READ_TIMEOUT = Duration.seconds(60);

interface Apis {
  chat: SpecRestApi;
  socket: SocketApi;
}

export function chatBehaviors(scope: Construct, { chat, socket }: Apis): Record<string, BehaviorOptions> {
  const originTo = (originId: string, domainName: string) =>
    new HttpOrigin(domainName, {
      originId,
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      readTimeout: READ_TIMEOUT,
      customHeaders: { [EDGE_HEADER]: edgeKeyOf(scope) },
    });
  const shared = {
    // A redirect would lose the body of a request.
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    allowedMethods: AllowedMethods.ALLOW_ALL,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    compress: false,
  };
  const routing = new EdgeFunction(scope, 'ChatRouting', {
    functionName: globalName(Stack.of(scope).stackName, 'chat-routing'),
    comment: 'Parley: WebSocket connections by their path',
    runtime: FunctionRuntime.JS_2_0,
    code: FunctionCode.fromFile({ filePath: CHAT_ROUTING }),
  });
  const chatOrigin = originTo('chat', `${chat.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`);
  return {
    // Every page with a widget reads it.
    '/chat/*/widget': {
      ...shared,
      origin: chatOrigin,
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
      cachePolicy: widgetCache(scope),
    },
    // The path of the chat API's stage.
    '/chat/*': {
      ...shared,
      origin: chatOrigin,
      functionAssociations: [{ function: routing, eventType: FunctionEventType.VIEWER_REQUEST }],
    },
    // Connections of the console.
    [`/${SOCKET_STAGE}`]: { ...shared, origin: originTo('socket', socket.domainName) },
  };
}

/** Caches as long as the operation allows, by page, because the response depends on the allowed origins. */
const widgetCache = (scope: Construct) =>
  new CachePolicy(scope, 'WidgetCache', {
    cachePolicyName: globalName(Stack.of(scope).stackName, 'widget'),
    comment: 'Parley: content of the chat widget',
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl: Duration.minutes(5),
    headerBehavior: CacheHeaderBehavior.allowList('Origin'),
  });
