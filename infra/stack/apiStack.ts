/**
 * Routes of an API. Its stage publishes them (`apiStage.ts`).
 *
 * Functions return the APIs' URLs, which contain generated ids. An API is therefore created before all functions: its
 * routes contain function names instead of references, and its stage is in another stack.
 */
import { Aws, NestedStack, Stack } from 'aws-cdk-lib';
import { ApiDefinition, EndpointType, IpAddressType, RestApiMode, SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Api } from '#infra/gateway/apis.ts';
import { extraFunctions, type FunctionName, gatewayDocument } from '#infra/gateway/gatewayDocument.ts';
import { gatewayResponsesExtension } from '#infra/gateway/gatewayResponses.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { LIVE } from './addRollout.ts';
import { domainOf } from './domains.ts';
import { deployedName } from './lambdaFunction.ts';
import { timeoutOf } from './timeouts.ts';

const INVOCATION = { version: '2015-03-31', action: 'invocations' };
const STREAM_INVOCATION = { version: '2021-11-15', action: 'response-streaming-invocations' };

export class ApiStack extends NestedStack {
  readonly api: Api;
  readonly rest: SpecRestApi;
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, { api }: { api: Api }) {
    super(scope, id, { description: `Parley: routes of the ${api.name} API` });
    this.api = api;
    const extras = extraFunctions(api);
    const arnOf = (name: string) =>
      `arn:${Aws.PARTITION}:lambda:${Aws.REGION}:${Aws.ACCOUNT_ID}:function:${deployedName(Stack.of(scope), name)}`;
    const alias = settingsOf(this).rollout === 'gradual' ? `:${LIVE}` : '';
    const arnOfFunction = (name: FunctionName) =>
      extras.includes(name) ? arnOf(`${api.name}-${name}`) : arnOf(name) + alias;

    // One role that the gateway assumes, instead of a permission per function and route.
    const patterns = new Set([...api.operations.map(({ group }) => `${group}-*`), `${api.name}-*`]);
    const gatewayRole = new Role(this, 'GatewayRole', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      inlinePolicies: {
        invoke: new PolicyDocument({
          statements: [
            new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [...patterns].map(arnOf) }),
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
    // Unique in the account, because CloudWatch metrics have no other dimension. An import sets the name to the
    // document's title.
    const restApiName = `${Stack.of(scope).stackName}-${api.name}`;
    const binaryMediaTypes = ['*/*'];
    this.rest = new SpecRestApi(this, 'Api', {
      restApiName,
      apiDefinition: ApiDefinition.fromInline({
        ...document,
        info: { ...document.info, title: restApiName },
        'x-amazon-apigateway-binary-media-types': binaryMediaTypes,
        'x-amazon-apigateway-gateway-responses': gatewayResponsesExtension(settingsOf(this).allowedOrigins),
      }),
      // Removes routes and settings that the document no longer contains.
      mode: RestApiMode.OVERWRITE,
      endpointConfiguration: { types: [EndpointType.REGIONAL], ipAddressType: IpAddressType.DUAL_STACK },
      parameters: { endpointConfigurationTypes: EndpointType.REGIONAL },
      binaryMediaTypes,
      deploy: false,
      // The role is account-wide: see `gatewayAccount.ts`.
      cloudWatchRole: false,
    });
    const domain = domainOf(this, api.name);
    this.baseUrl = domain
      ? `https://${domain}`
      : `https://${this.rest.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${api.name}`;
  }
}

export function invocationUri(functionArn: string, isStream = false): string {
  const { version, action } = isStream ? STREAM_INVOCATION : INVOCATION;
  return `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/${version}/functions/${functionArn}/${action}`;
}
