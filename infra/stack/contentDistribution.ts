/**
 * Where the contents of files are read: an address of its own, so that nothing in them runs as if it were the API's, with
 * the headers that the object store does not send. It passes signed requests on as they are, keeps nothing, and costs
 * nothing while nobody reads.
 */
import { Duration } from 'aws-cdk-lib';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  OriginRequestPolicy,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';

export class ContentDistribution extends Construct {
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, { bucket }: { bucket: Bucket }) {
    super(scope, id);
    const responseHeadersPolicy = new ResponseHeadersPolicy(this, 'Headers', {
      securityHeadersBehavior: {
        contentTypeOptions: { override: true },
        // Not `sandbox`, in which browsers show no PDF.
        contentSecurityPolicy: {
          contentSecurityPolicy: "script-src 'none'; base-uri 'none'; form-action 'none'",
          override: true,
        },
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
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'Parley: contents of files',
      defaultBehavior: {
        // By its own name, which is the host that was signed; the signature is what lets the request in.
        origin: new HttpOrigin(bucket.bucketRegionalDomainName),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        responseHeadersPolicy,
        compress: false,
      },
    });
    this.baseUrl = `https://${distribution.distributionDomainName}`;
  }
}
