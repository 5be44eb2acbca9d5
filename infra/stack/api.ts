/**
 * The functions of the platform and the API Gateways before them. Nested stacks, because CloudFormation takes 500
 * resources a stack and the platform grows to about 150 functions: one for each folder of operations, one for each API.
 * A function's name is made of the stack's, so an API needs nothing of the stacks with its functions.
 */
import { Aws, Duration, NestedStack, Stack } from 'aws-cdk-lib';
import { ApiDefinition, EndpointType, ResponseType, SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Api } from '#infra/gateway/apis.ts';
import { GATEWAY_RESPONSES, gatewayResponseBody } from '#infra/gateway/gatewayResponses.ts';
import { extraFunctions, type FunctionName, gatewayDocument } from '#infra/gateway/openapi.ts';
import { functionNameOf } from '#shared/api/operation.ts';
import { type Operation } from '#shared/api/operations.ts';
import { accessOf } from './access.ts';
import type { Storage } from './data.ts';
import { deployedName, OperationFunction } from './lambdaFunction.ts';

/** API Gateway waits 29 s; a function that ran longer would answer nobody. */
const OPERATION_TIMEOUT = Duration.seconds(29);
const STREAM_MEMORY_MB = 256;
/** But a stream may last as long as a function may run. */
const STREAM_TIMEOUT = Duration.minutes(15);
const timeoutOf = (isStream: boolean) => (isStream ? STREAM_TIMEOUT : OPERATION_TIMEOUT);

/** How the gateway starts a function: where it streams, by another call of Lambda. */
const INVOCATION = { version: '2015-03-31', action: 'invocations' };
const STREAM_INVOCATION = { version: '2021-11-15', action: 'response-streaming-invocations' };

function invocationUri(functionArn: string, isStream: boolean): string {
  const { version, action } = isStream ? STREAM_INVOCATION : INVOCATION;
  return `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/${version}/functions/${functionArn}/${action}`;
}

/** The functions of one folder below `functions/`. */
export class OperationFunctions extends NestedStack {
  constructor(
    scope: Construct,
    id: string,
    props: { operations: readonly Operation[]; storage: Storage; variables: Record<string, string> },
  ) {
    super(scope, id, { description: `Parley: ${id}` });
    const { storage, variables } = props;
    for (const operation of props.operations) {
      new OperationFunction(this, functionNameOf(operation), {
        access: accessOf(operation),
        storage,
        timeout: timeoutOf(operation.streams !== undefined),
        // A listener mostly waits, and it is memory × time that costs.
        ...(operation.streams === undefined ? {} : { memoryMb: STREAM_MEMORY_MB }),
        variables,
      });
    }
  }
}

/** One API: the gateway, and the functions behind it that are no operations. */
export class InterfaceApi extends NestedStack {
  readonly restApiId: string;
  /** The base address, without a slash at the end. */
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, { api, storage }: { api: Api; storage: Storage }) {
    super(scope, id, { description: `Parley: the ${api.name} interface` });
    const extras = extraFunctions(api);
    for (const name of extras) {
      new OperationFunction(this, name, {
        access: { table: 'none' },
        storage,
        timeout: OPERATION_TIMEOUT,
        deployedAs: `${api.name}-${name}`,
      });
    }
    const arnOf = (name: string) =>
      `arn:${Aws.PARTITION}:lambda:${Aws.REGION}:${Aws.ACCOUNT_ID}:function:${deployedName(Stack.of(scope), name)}`;
    const arnOfFunction = (name: FunctionName) => arnOf(extras.includes(name) ? `${api.name}-${name}` : name);

    // One role that the gateway takes on, in the place of a permission per function and route.
    const families = [...new Set(api.operations.map(({ group }) => `${group}-*`)), `${api.name}-*`];
    const gatewayRole = new Role(this, 'GatewayRole', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      inlinePolicies: {
        invoke: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['lambda:InvokeFunction'],
              resources: [...new Set(families)].map(arnOf),
            }),
          ],
        }),
      },
    });

    const document = gatewayDocument(api, (name, isStream) => ({
      type: 'aws_proxy',
      httpMethod: 'POST',
      uri: invocationUri(arnOfFunction(name), isStream),
      credentials: gatewayRole.roleArn,
      passthroughBehavior: 'when_no_match',
      timeoutInMillis: timeoutOf(isStream).toMilliseconds(),
      ...(isStream ? { responseTransferMode: 'STREAM' } : {}),
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
