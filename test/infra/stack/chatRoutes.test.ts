/** Tests the address of the chat API: the console's distribution, its own domain, or API Gateway's. */
import { describe, expect, it } from 'vitest';
import { type Synthesised, synthesised } from './template.ts';

const plain = synthesised();
const withDomain = synthesised({
  chatDomain: 'chat.example.com',
  certificate: 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d',
});
const withoutConsole = synthesised({ console: 'off' });

const distributionOf = ({ root }: Synthesised) =>
  Object.values(root)
    .filter(({ Type }) => Type === 'AWS::CloudFront::Distribution')
    .map(({ Properties }) => Properties.DistributionConfig)
    .find(({ Comment }) => Comment === 'Parley: console');
const behaviorOf = (stack: Synthesised, path: string) =>
  distributionOf(stack).CacheBehaviors.find(({ PathPattern }: { PathPattern: string }) => PathPattern === path);
const originOf = (stack: Synthesised, id: string) =>
  distributionOf(stack).Origins.find(({ Id }: { Id: string }) => Id === id);
const variablesOf = ({ functions }: Synthesised, name: string) =>
  functions.find(({ description }) => description === name)!.properties.Environment.Variables;
const textOf = (value: unknown) => JSON.stringify(value);

/** AWS's policies CachingDisabled and AllViewerExceptHostHeader. */
const UNCACHED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
const ALL_BUT_HOST = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';

describe('the distribution', () => {
  it.each([
    ['/chat/*', 'chat'],
    ['/socket', 'socket'],
  ])('forwards %s unchanged, uncached and uncompressed', (path, origin) => {
    expect(behaviorOf(plain, path)).toMatchObject({
      TargetOriginId: origin,
      AllowedMethods: expect.arrayContaining(['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE']),
      CachePolicyId: UNCACHED,
      OriginRequestPolicyId: ALL_BUT_HOST,
      ViewerProtocolPolicy: 'https-only',
      Compress: false,
    });
    expect(behaviorOf(plain, path).ResponseHeadersPolicyId).toBeUndefined();
    expect(originOf(plain, origin)).toMatchObject({
      CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginReadTimeout: 60 },
    });
    expect(originOf(plain, origin).OriginPath).toBeUndefined();
  });

  it('caches the content of widgets as long as the operation allows, by page', () => {
    const paths = distributionOf(plain).CacheBehaviors.map(({ PathPattern }: { PathPattern: string }) => PathPattern);
    const { CachePolicyId, ...behavior } = behaviorOf(plain, '/chat/*/widget');
    const { CachePolicyConfig } = plain.root[CachePolicyId.Ref]!.Properties;

    expect(paths.indexOf('/chat/*/widget')).toBeLessThan(paths.indexOf('/chat/*'));
    expect(behavior).toMatchObject({ TargetOriginId: 'chat', OriginRequestPolicyId: ALL_BUT_HOST });
    expect(CachePolicyConfig).toMatchObject({
      MinTTL: 0,
      DefaultTTL: 0,
      MaxTTL: 300,
      ParametersInCacheKeyAndForwardedToOrigin: {
        HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['Origin'] },
        QueryStringsConfig: { QueryStringBehavior: 'none' },
        CookiesConfig: { CookieBehavior: 'none' },
      },
    });
  });

  it('routes connections by a function, whose origin it has', () => {
    const { FunctionAssociations } = behaviorOf(plain, '/chat/*');
    const [code] = Object.values(plain.root).filter(({ Type }) => Type === 'AWS::CloudFront::Function');

    expect(FunctionAssociations).toMatchObject([{ EventType: 'viewer-request' }]);
    expect(code!.Properties.FunctionConfig.Runtime).toBe('cloudfront-js-2.0');
    expect(code!.Properties.FunctionCode).toContain("selectRequestOriginById('socket')");
  });

  it('marks its requests by the GUID of the stack, which only functions of end users know', () => {
    const guid = textOf({ 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] });
    const marked = plain.functions.filter(({ properties }) => properties.Environment?.Variables.EDGE_KEY);

    for (const id of ['chat', 'socket'])
      expect(originOf(plain, id).OriginCustomHeaders).toEqual([
        { HeaderName: 'x-parley-edge', HeaderValue: JSON.parse(guid) },
      ]);
    for (const { description } of marked) expect(description).toMatch(/^(?:chat|socket)-/);
    expect(marked.map(({ description }) => description)).toEqual(
      expect.arrayContaining(['chat-createUser', 'socket-connect']),
    );
    // Nested stacks receive it from the root. Their own GUID differs.
    expect(textOf(variablesOf(plain, 'chat-createUser').EDGE_KEY)).not.toContain('AWS::StackId');
    expect(textOf(plain.root)).toContain(guid);
  });
});

describe('the base URL of the chat', () => {
  const outputOf = ({ stack }: Synthesised) =>
    textOf(stack.resolve((stack.node.findChild('ChatBaseUrl') as unknown as { value: unknown }).value));

  it.each([
    ['that of the distribution', plain, /ConsoleDistribution.*"\/chat"|ConsoleDistribution.*\/chat/],
    ['the configured domain', withDomain, /^"https:\/\/chat\.example\.com"$/],
    ["API Gateway's without a console", withoutConsole, /execute-api/],
  ])('is %s', (_, stack, expected) => {
    expect(outputOf(stack)).toMatch(expected);
  });

  it("permits the chat's own pages and the console to call every chat", () => {
    expect(textOf(variablesOf(plain, 'chat-createUser').CHAT_ORIGINS)).toMatch(/^\{"Ref":|Distribution/);
    expect(variablesOf(withoutConsole, 'chat-createUser').CHAT_ORIGINS).toBeUndefined();
    expect(variablesOf(withoutConsole, 'chat-createUser').EDGE_KEY).toBeUndefined();
    for (const stack of [plain, withDomain])
      expect(variablesOf(stack, 'socket-connect').CHAT_ORIGINS).toEqual(
        variablesOf(stack, 'chat-createUser').CHAT_ORIGINS,
      );
  });

  it("is permitted by the console's content policy", () => {
    const policyOf = ({ root }: Synthesised) =>
      textOf(Object.values(root).filter(({ Type }) => Type === 'AWS::CloudFront::ResponseHeadersPolicy'));

    expect(policyOf(plain)).toContain("connect-src 'self' https://");
    expect(policyOf(withDomain)).toContain('chat.example.com');
  });
});
