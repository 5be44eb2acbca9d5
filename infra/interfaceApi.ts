/**
 * One interface of the platform: its functions and its API Gateway. A nested stack, because CloudFormation takes 500
 * resources a stack and the platform grows to about 150 functions.
 */
import { Aws, Duration, NestedStack } from 'aws-cdk-lib';
import { ApiDefinition, EndpointType, ResponseType, SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { GATEWAY_RESPONSES, gatewayResponseBody } from './gatewayResponses.ts';
import type { Interface } from './interfaces.ts';
import { extraFunctions, gatewayDocument } from './openapi.ts';
import { type Access, OperationFunction } from './operationFunction.ts';
import type { Storage } from './storage.ts';

/** API Gateway waits 29 s; a function that ran longer would answer nobody. */
const OPERATION_TIMEOUT = Duration.seconds(29);

export class InterfaceApi extends NestedStack {
  readonly restApiId: string;
  /** The base address, without a slash at the end. */
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, { api, storage }: { api: Interface; storage: Storage }) {
    super(scope, id, { description: `Parley: the ${api.name} interface` });
    const functions = new Map<string, LambdaFunction>();
    const add = (name: string, access: Access) =>
      functions.set(name, new OperationFunction(this, name, { access, storage, timeout: OPERATION_TIMEOUT }).function);
    for (const operation of api.operations) add(operation.name, operation);
    for (const name of extraFunctions(api)) add(name, { table: 'none' });

    // One role that the gateway takes on, in the place of a permission per function and route.
    const gatewayRole = new Role(this, 'GatewayRole', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      inlinePolicies: {
        invoke: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['lambda:InvokeFunction'],
              resources: [...functions.values()].map(({ functionArn }) => functionArn),
            }),
          ],
        }),
      },
    });

    const document = gatewayDocument(api, name => ({
      type: 'aws_proxy',
      httpMethod: 'POST',
      uri: `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/2015-03-31/functions/${functions.get(name)!.functionArn}/invocations`,
      credentials: gatewayRole.roleArn,
      passthroughBehavior: 'when_no_match',
      timeoutInMillis: OPERATION_TIMEOUT.toMilliseconds(),
    }));
    const rest = new SpecRestApi(this, 'Api', {
      restApiName: `parley-${api.name}`,
      apiDefinition: ApiDefinition.fromInline(document),
      endpointTypes: [EndpointType.REGIONAL],
      // Bytes go through untouched: a gzipped body is no text.
      binaryMediaTypes: ['*/*'],
      deployOptions: { stageName: api.name },
      cloudWatchRole: false,
    });
    shapeRefusals(rest);
    this.restApiId = rest.restApiId;
    this.baseUrl = `https://${rest.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${api.name}`;
  }
}

/** The gateway's own refusals look like the operations'. A deployment is a snapshot, so it must come after them. */
function shapeRefusals(api: SpecRestApi): void {
  const deployment = api.latestDeployment!;
  for (const response of Object.values(GATEWAY_RESPONSES)) {
    const body = gatewayResponseBody(response, '$context.requestId');
    const added = api.addGatewayResponse(response.type, {
      type: ResponseType.of(response.type),
      statusCode: String(response.status),
      responseHeaders: {
        'Access-Control-Allow-Origin': 'method.request.header.Origin',
        'Access-Control-Allow-Credentials': "'true'",
        Vary: "'Origin'",
      },
      templates: { 'application/json': body },
    });
    deployment.node.addDependency(added);
    deployment.addToLogicalId({ type: response.type, status: response.status, body });
  }
}
