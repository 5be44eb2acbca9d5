import { describe, expect, it } from 'vitest';
import { synthesised } from './template.ts';

const ofType = (type: string, context = {}) =>
  Object.values(synthesised(context).root).filter(({ Type }) => Type === type);
const headersOf = (name: RegExp) =>
  ofType('AWS::CloudFront::ResponseHeadersPolicy')
    .map(({ Properties }) => Properties.ResponseHeadersPolicyConfig)
    .find(({ Name }) => name.test(JSON.stringify(Name)));
const consoleHeaders = () => headersOf(/-console-/);

describe('the console', () => {
  it('is served over HTTPS by its own distribution from a private bucket', () => {
    const distributions = ofType('AWS::CloudFront::Distribution').map(
      ({ Properties }) => Properties.DistributionConfig,
    );
    const config = distributions.find(({ Comment }) => Comment === 'Parley: console');

    expect(config).toMatchObject({
      DefaultRootObject: 'index.html',
      DefaultCacheBehavior: { ViewerProtocolPolicy: 'redirect-to-https', AllowedMethods: ['GET', 'HEAD'] },
    });
    expect(config.Origins[0].OriginAccessControlId).toBeDefined();
    for (const { Properties } of ofType('AWS::S3::Bucket')) {
      expect(Properties.PublicAccessBlockConfiguration).toMatchObject({
        BlockPublicPolicy: true,
        BlockPublicAcls: true,
      });
    }
  });

  it('runs only its own scripts, and calls only the platform', () => {
    const policy = JSON.stringify(consoleHeaders().SecurityHeadersConfig.ContentSecurityPolicy);

    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("form-action 'none'");
    expect(policy).not.toContain('*');
    expect(policy).not.toContain('unsafe-eval');
  });

  it('outputs its URL for npm run console', () => {
    const { stack } = synthesised();

    expect(stack.node.tryFindChild('Console')).toBeDefined();
    expect(JSON.stringify(stack.node.findAll().map(({ node }) => node.path))).toContain('Parley/ConsoleUrl');
  });

  it.each([
    ['is listed', {}, true],
    ['is not listed', { console: 'off' }, false],
  ])('%s at the base URL of the API with the settings %j', (_, settings, isNamed) => {
    const { functions } = synthesised(settings);
    const { properties } = functions.find(({ description }) => description === 'apiRoot')!;
    const variables = properties.Environment.Variables;

    expect('CONSOLE_URL' in variables).toBe(isNamed);
    expect(variables).toMatchObject({ API_BASE_URL: expect.anything(), CHAT_BASE_URL: expect.anything() });
  });

  it.each([
    ['names the widget and the origins of its media', {}, true],
    ['names no widget', { console: 'off' }, false],
  ])('%s in getBotWebchat with the settings %j', (_, settings, isNamed) => {
    const { functions } = synthesised(settings);
    const { properties } = functions.find(({ description }) => description === 'admin-getBotWebchat')!;
    const variables = properties.Environment.Variables;

    expect(['CONSOLE_URL', 'MEDIA_ORIGINS'].map(name => name in variables)).toEqual([isNamed, isNamed]);
  });

  it('serves the widget, which any page can embed, and updates it within minutes', () => {
    const config = ofType('AWS::CloudFront::Distribution')
      .map(({ Properties }) => Properties.DistributionConfig)
      .find(({ Comment }) => Comment === 'Parley: console');
    const { CorsConfig, CustomHeadersConfig, SecurityHeadersConfig } = headersOf(/-widget-/);
    const caches = ofType('Custom::CDKBucketDeployment').map(({ Properties }) => Properties);
    const widget = caches.find(({ SystemMetadata }) => /max-age=300/.test(SystemMetadata['cache-control']));

    const [behavior] = config.CacheBehaviors;
    expect(behavior).toMatchObject({
      PathPattern: '/widget.js',
      ViewerProtocolPolicy: 'redirect-to-https',
      Compress: true,
    });
    expect(behavior.ResponseHeadersPolicyId).not.toEqual(config.DefaultCacheBehavior.ResponseHeadersPolicyId);
    expect(CorsConfig).toMatchObject({
      AccessControlAllowOrigins: { Items: ['*'] },
      AccessControlAllowCredentials: false,
      OriginOverride: true,
    });
    expect(CustomHeadersConfig.Items).toEqual([
      { Header: 'cross-origin-resource-policy', Value: 'cross-origin', Override: true },
    ]);
    expect(SecurityHeadersConfig.ContentTypeOptions).toEqual({ Override: true });
    expect(widget.SystemMetadata['cache-control']).toBe('public, max-age=300, stale-while-revalidate=86400');
  });

  it('outputs the URL of the widget', () => {
    expect(
      JSON.stringify(
        synthesised()
          .stack.node.findAll()
          .map(({ node }) => node.path),
      ),
    ).toContain('Parley/WidgetUrl');
  });

  it.each(['console=off', 'content=bucket'])('is omitted with %s', setting => {
    const context = Object.fromEntries([setting.split('=')]);

    expect(synthesised(context).stack.node.tryFindChild('Console')).toBeUndefined();
  });
});
