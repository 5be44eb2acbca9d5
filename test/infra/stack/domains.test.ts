import { describe, expect, it } from 'vitest';
import { type Synthesised, synthesised } from './template.ts';

const ofType = ({ all }: Synthesised, type: string) =>
  all.filter(([, { Type }]) => Type === type).map(([, { Properties }]) => Properties);
const variableOf = ({ functions }: Synthesised, name: string, variable: string) =>
  functions.find(({ description }) => description === name)!.properties.Environment.Variables[variable];

const DOMAINS = {
  apiDomain: 'api.example.com',
  chatDomain: 'chat.example.com',
  webhookDomain: 'webhook.example.com',
  certificate: 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d',
  contentDomain: 'files.example.com',
  contentCertificate: 'arn:aws:acm:us-east-1:123456789012:certificate/4e5f6a7b',
};
const own = synthesised({ ...DOMAINS, allowedOrigins: 'https://example.com' });
const inZone = synthesised({
  ...DOMAINS,
  hostedZone: 'Z0123456789:example.com',
  allowedOrigins: 'https://example.com,https://www.example.com',
});

describe('domains', () => {
  it('routes to the stage of its API, over TLS 1.2', () => {
    expect(ofType(own, 'AWS::ApiGateway::DomainName').map(each => [each.DomainName, each.SecurityPolicy])).toEqual(
      ['chat', 'api', 'webhook'].map(name => [`${name}.example.com`, 'TLS_1_2']),
    );
    expect(ofType(own, 'AWS::ApiGateway::BasePathMapping')).toHaveLength(3);
  });

  it("accepts IPv4 and IPv6, like the gateway's own addresses", () => {
    const endpoints = [own, inZone].flatMap(stack =>
      ['AWS::ApiGateway::RestApi', 'AWS::ApiGateway::DomainName'].flatMap(type =>
        ofType(stack, type).map(({ EndpointConfiguration }) => EndpointConfiguration),
      ),
    );

    expect(endpoints).toHaveLength(12);
    for (const endpoint of endpoints) expect(endpoint).toEqual({ Types: ['REGIONAL'], IpAddressType: 'dualstack' });
    for (const { DistributionConfig } of ofType(own, 'AWS::CloudFront::Distribution'))
      expect(DistributionConfig.IPV6Enabled).toBe(true);
  });

  it('appears in responses and in the environment of deployed code', () => {
    expect(variableOf(own, 'admin-getBot', 'WEBHOOK_BASE_URL')).toBe('https://webhook.example.com');
    expect(variableOf(own, 'admin-getBot', 'CHAT_BASE_URL')).toBe('https://chat.example.com');
    expect(JSON.stringify(variableOf(own, 'chat-createUser', 'CHAT_ORIGINS'))).toContain('https://chat.example.com,');
    expect(variableOf(own, 'files-getFile', 'CONTENT_BASE_URL')).toBe('https://files.example.com');
    expect(variableOf(own, 'deployCode', 'API_BASE_URL')).toBe('https://api.example.com');
  });

  it('serves file contents under a separate certificate', () => {
    const [distribution] = ofType(own, 'AWS::CloudFront::Distribution');

    expect(distribution.DistributionConfig.Aliases).toEqual([DOMAINS.contentDomain]);
    expect(distribution.DistributionConfig.ViewerCertificate.AcmCertificateArn).toBe(DOMAINS.contentCertificate);
  });

  it('has a record in the configured zone, or an output with its target', () => {
    expect(new Set(ofType(inZone, 'AWS::Route53::RecordSet').map(({ Name }) => Name))).toEqual(
      new Set(['api', 'chat', 'webhook', 'files'].map(name => `${name}.example.com.`)),
    );
    expect(
      ofType(inZone, 'AWS::Route53::RecordSet')
        .map(({ Type }) => Type)
        .sort(),
    ).toEqual([...Array(4).fill('A'), ...Array(4).fill('AAAA')]);
    expect(ofType(own, 'AWS::Route53::RecordSet')).toEqual([]);
  });
});

describe('origins', () => {
  const [restricted, single] = [inZone, own];
  const allowed = (from: Synthesised) =>
    new Set(
      ofType(from, 'AWS::ApiGateway::RestApi')
        // biome-ignore lint/suspicious/noExplicitAny: as deep as API Gateway's extension
        .flatMap(({ Body }): any[] => Object.values(Body['x-amazon-apigateway-gateway-responses']))
        .map(({ responseParameters }) => responseParameters['gatewayresponse.header.Access-Control-Allow-Origin']),
    );

  it('is set for every function behind a gateway', () => {
    for (const name of ['chat-createMessage', 'admin-getBot', 'preflight'])
      expect(variableOf(restricted, name, 'ALLOWED_ORIGINS')).toBe('https://example.com,https://www.example.com');
  });

  it("restricts the gateway's own error responses, too", () => {
    expect(allowed(synthesised())).toEqual(new Set(['method.request.header.origin']));
    expect(allowed(single)).toEqual(new Set(["'https://example.com'"]));
    expect(allowed(restricted)).toEqual(new Set([undefined]));
  });
});
