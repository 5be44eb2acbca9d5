import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { describe, expect, it } from 'vitest';
import { STATUS_OF } from '#shared/core/errors.ts';
import { synthesised } from './template.ts';

const { chat, platform } = synthesised();
const RESPONSES = 'x-amazon-apigateway-gateway-responses';

describe.each([
  ['chat', chat],
  ['api', platform],
])('the gateway of %s', (stage, stack) => {
  const find = (type: string) => Object.values(stack).filter(({ Type }) => Type === type);
  const document = () => find('AWS::ApiGateway::RestApi')[0]!.Properties.Body;
  // biome-ignore lint/suspicious/noExplicitAny: as deep as API Gateway's extension
  const refusals = (): any[] => Object.values(document()[RESPONSES]);

  it('is regional, passes bytes through, and has a stage named after it', () => {
    const [api] = find('AWS::ApiGateway::RestApi');

    expect(api!.Properties).toMatchObject({
      EndpointConfiguration: { Types: ['REGIONAL'] },
      BinaryMediaTypes: ['*/*'],
    });
    expect(find('AWS::ApiGateway::Stage')[0]!.Properties.StageName).toBe(stage);
  });

  it('writes an access log without headers, queries or keys, with the ids of rejections', () => {
    const { AccessLogSetting } = find('AWS::ApiGateway::Stage')[0]!.Properties;
    const format: Record<string, string> = JSON.parse(AccessLogSetting.Format);

    expect(Object.values(format).sort()).toEqual(
      [
        ...['requestId', 'requestTime', 'identity.sourceIp', 'httpMethod', 'resourcePath', 'status'],
        ...['responseLatency', 'responseLength', 'integrationStatus'],
        ...['error.message', 'error.responseType', 'error.validationErrorString'],
      ]
        .map(name => `$context.${name}`)
        .sort(),
    );
    // Refers to a parameter of the nested stack, with the log group of the root.
    expect(AccessLogSetting.DestinationArn.Ref).toMatch(new RegExp(`^reference.*Logsaccess${stage}`));
    for (const { responseTemplates } of refusals())
      expect(responseTemplates['application/json']).toContain(`"id":"err_${format.requestId}"`);
  });

  it('returns its own rejections in the wire format, and never returns 502', () => {
    const types = Object.values(ResponseType).map(({ responseType }) => responseType);

    expect(Object.keys(document()[RESPONSES]).sort()).toEqual(types.sort());
    for (const { statusCode, responseTemplates, responseParameters } of refusals()) {
      const body = JSON.parse(responseTemplates['application/json']);
      expect(Object.keys(body)).toEqual(['id', 'code', 'type', 'message']);
      expect(String(body.code)).toBe(statusCode);
      expect(STATUS_OF[body.type as keyof typeof STATUS_OF]).toBe(body.code);
      expect(statusCode).not.toBe('502');
      // Set for temporary errors.
      const retryAfter = responseParameters['gatewayresponse.header.Retry-After'];
      expect(retryAfter !== undefined).toBe(statusCode === '429');
      if (retryAfter) expect(retryAfter).toMatch(/^'[1-9]\d*'$/);
      expect(responseParameters['gatewayresponse.header.Access-Control-Expose-Headers']).toContain('retry-after');
      // Mappings are case-sensitive, and HTTP/2 headers are lower case.
      expect(responseParameters['gatewayresponse.header.Access-Control-Allow-Origin']).toBe(
        'method.request.header.origin',
      );
    }
  });

  it('returns the same error for an unknown route with and without a bearer token', () => {
    const { MISSING_AUTHENTICATION_TOKEN: without, INVALID_SIGNATURE: broken } = document()[RESPONSES];

    expect(without.statusCode).toBe('404');
    expect(broken).toEqual(without);
  });

  it('contains everything that an import replaces in its document: error responses, media types, its name', () => {
    const [api] = find('AWS::ApiGateway::RestApi');

    expect(find('AWS::ApiGateway::GatewayResponse')).toEqual([]);
    expect(api!.Properties).toMatchObject({
      Mode: 'overwrite',
      Parameters: { endpointConfigurationTypes: 'REGIONAL' },
      Name: `Parley-${stage}`,
      Body: { info: { title: `Parley-${stage}` }, 'x-amazon-apigateway-binary-media-types': ['*/*'] },
    });
  });

  it('is redeployed when only an error response changes', () => {
    const deploymentOf = (resources: typeof stack) =>
      Object.keys(resources).filter(id => resources[id]!.Type === 'AWS::ApiGateway::Deployment');
    const restricted = synthesised({ allowedOrigins: 'https://example.com' });

    expect(deploymentOf(stage === 'chat' ? restricted.chat : restricted.platform)).not.toEqual(deploymentOf(stack));
  });
});
