/**
 * Serves file contents from a separate origin with the security headers that S3 does not send, so their scripts cannot
 * access the API's origin. Forwards presigned requests unchanged and caches nothing.
 */
import { Duration, Stack } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  OriginRequestPolicy,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { CONTENT_POLICY } from '#shared/storage/s3/inlineTypes.ts';
import { addRecords } from './domains.ts';
import { globalName } from './stackName.ts';

export class ContentDistribution extends Construct {
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, { bucket }: { bucket: Bucket }) {
    super(scope, id);
    const responseHeadersPolicy = new ResponseHeadersPolicy(this, 'Headers', {
      responseHeadersPolicyName: globalName(Stack.of(this).stackName, 'content'),
      securityHeadersBehavior: {
        contentTypeOptions: { override: true },
        contentSecurityPolicy: { contentSecurityPolicy: CONTENT_POLICY, override: true },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override: true },
      },
      corsBehavior: {
        accessControlAllowOrigins: ['*'],
        accessControlAllowMethods: ['GET', 'HEAD'],
        accessControlAllowHeaders: ['*'],
        accessControlAllowCredentials: false,
        originOverride: true,
      },
    });
    const { contentDomain, contentCertificate } = settingsOf(this);
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'Parley: contents of files',
      ...(contentDomain
        ? {
            domainNames: [contentDomain],
            certificate: Certificate.fromCertificateArn(this, 'Certificate', contentCertificate!),
          }
        : {}),
      defaultBehavior: {
        // Requests are signed for the bucket's host name. The signature authorizes them.
        origin: new HttpOrigin(bucket.bucketRegionalDomainName),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        responseHeadersPolicy,
        compress: false,
      },
    });
    this.baseUrl = `https://${contentDomain ?? distribution.distributionDomainName}`;
    if (contentDomain) {
      addRecords(this, contentDomain, new CloudFrontTarget(distribution), distribution.distributionDomainName);
    }
  }
}
