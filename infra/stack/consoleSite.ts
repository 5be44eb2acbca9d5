/**
 * Static files of the console and the widget: a private bucket, a distribution with strict headers, `config.json`. The
 * distribution also serves the chat API.
 */
import { CfnOutput, Duration, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, type BucketDeploymentProps, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { CONSOLE_DIRECTORY } from '#infra/console/buildConsole.ts';
import { consolePolicy, WIDGET_CACHE_CONTROL, WIDGET_HEADERS } from '#infra/console/policy.ts';
import { WIDGET_FILE } from '#infra/console/widget.ts';
import type { Settings } from '#infra/settings/settings.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import type { ApiStack } from './apiStack.ts';
import { chatBehaviors } from './chatRoutes.ts';
import type { SocketApi } from './socketApi.ts';
import { globalName } from './stackName.ts';

interface ConsoleProps {
  apiBaseUrl: string;
  chat: ApiStack;
  socket: SocketApi;
  contentBaseUrl: string | undefined;
  uploadOrigin: string;
}

/** A stack with `content=bucket` uses no CloudFront, so it has no console. */
export const hasConsole = ({ console, content }: Pick<Settings, 'console' | 'content'>) =>
  console === 'on' && content === 'distribution';

const originOf = (url: string) => `https://${Fn.select(2, Fn.split('/', url))}`;

export class Console extends Construct {
  readonly url: string;
  readonly origin: string;
  /** URL of the chat API through the distribution, or its own domain. */
  readonly chatBaseUrl: string;
  readonly widgetUrl: string;
  /** Origins that serve files of chats. */
  readonly mediaOrigins: readonly string[];

  constructor(scope: Construct, id: string, props: ConsoleProps) {
    super(scope, id);
    const { apiBaseUrl, chat, socket, uploadOrigin } = props;
    const directory: string = this.node.tryGetContext('consoleFiles') ?? CONSOLE_DIRECTORY;
    const contentOrigins = [uploadOrigin, ...(props.contentBaseUrl ? [props.contentBaseUrl] : [])];
    const { chatDomain } = settingsOf(this);
    // The policy cannot contain the distribution's own origin, which it calls `'self'`.
    const apiOrigins = [originOf(apiBaseUrl), ...(chatDomain ? [originOf(chat.baseUrl)] : [])];
    const bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.DESTROY,
      autoDeleteObjects: true,
    });
    const { stackName } = Stack.of(this);
    const responseHeadersPolicy = new ResponseHeadersPolicy(this, 'Headers', {
      responseHeadersPolicyName: globalName(stackName, 'console'),
      securityHeadersBehavior: {
        contentSecurityPolicy: {
          contentSecurityPolicy: consolePolicy({
            called: [...apiOrigins, uploadOrigin],
            shown: [...apiOrigins, ...contentOrigins],
          }),
          override: true,
        },
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override: true },
      },
    });
    const originAccessControl = new S3OriginAccessControl(this, 'OriginAccess', {
      originAccessControlName: globalName(stackName, 'console'),
    });
    const behavior = {
      origin: S3BucketOrigin.withOriginAccessControl(bucket, { originAccessControl }),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      compress: true,
    };
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'Parley: console',
      defaultRootObject: 'index.html',
      defaultBehavior: { ...behavior, responseHeadersPolicy },
      additionalBehaviors: {
        [`/${WIDGET_FILE}`]: { ...behavior, responseHeadersPolicy: this.#widgetHeaders() },
        ...chatBehaviors(this, { chat: chat.rest, socket }),
      },
    });
    this.origin = `https://${distribution.distributionDomainName}`;
    this.url = `${this.origin}/`;
    this.chatBaseUrl = chatDomain ? chat.baseUrl : `${this.url}${chat.api.name}`;
    this.mediaOrigins = [originOf(apiBaseUrl), originOf(this.chatBaseUrl), ...contentOrigins];
    this.widgetUrl = `${this.url}${WIDGET_FILE}`;

    // Nothing is invalidated: a slow invalidation fails the deployment (aws-cdk#15891). Pages are revalidated by every
    // request, the widget within its `max-age`, and names of assets contain a hash. Earlier assets stay for open pages.
    const assets = this.#deployFiles('Assets', bucket, {
      sources: [Source.asset(directory, { exclude: ['index.html', WIDGET_FILE] })],
      cacheControl: [CacheControl.fromString('public, max-age=31536000, immutable')],
    });
    const pages = this.#deployFiles('Pages', bucket, {
      sources: [
        Source.asset(directory, { exclude: ['assets', 'assets/**', WIDGET_FILE] }),
        Source.jsonData('config.json', { apiUrl: apiBaseUrl, chatUrl: this.chatBaseUrl, contentOrigins }),
      ],
      cacheControl: [CacheControl.noCache()],
    });
    pages.node.addDependency(assets);
    this.#deployFiles('Widget', bucket, {
      sources: [Source.asset(directory, { exclude: ['**', `!${WIDGET_FILE}`] })],
      cacheControl: [CacheControl.fromString(WIDGET_CACHE_CONTROL)],
    });
    new CfnOutput(Stack.of(this), 'ConsoleUrl', { value: this.url });
    new CfnOutput(Stack.of(this), 'WidgetUrl', { value: this.widgetUrl });
  }

  #hasLayer = false;

  #deployFiles(
    id: string,
    destinationBucket: Bucket,
    files: Pick<BucketDeploymentProps, 'sources' | 'cacheControl'>,
  ): BucketDeployment {
    const deployment = new BucketDeployment(this, id, { ...files, destinationBucket, memoryLimit: 512, prune: false });
    // All deployments share one function, which has the layer of the first.
    if (this.#hasLayer) deployment.node.tryRemoveChild('AwsCliLayer');
    this.#hasLayer = true;
    return deployment;
  }

  /** Allows any page to embed the script. The console's content policy does not apply to a script. */
  #widgetHeaders(): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, 'WidgetHeaders', {
      responseHeadersPolicyName: globalName(Stack.of(this).stackName, 'widget'),
      corsBehavior: {
        accessControlAllowOrigins: [WIDGET_HEADERS['access-control-allow-origin']],
        accessControlAllowMethods: ['GET', 'HEAD'],
        accessControlAllowHeaders: ['*'],
        accessControlAllowCredentials: false,
        originOverride: true,
      },
      customHeadersBehavior: {
        customHeaders: [
          {
            header: 'cross-origin-resource-policy',
            value: WIDGET_HEADERS['cross-origin-resource-policy'],
            override: true,
          },
        ],
      },
      securityHeadersBehavior: {
        contentTypeOptions: { override: true },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override: true },
      },
    });
  }
}
