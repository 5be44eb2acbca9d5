/** Resolves the names that a template gives to resources, as CloudFormation does. */
import type { Synthesised } from './template.ts';

// biome-ignore lint/suspicious/noExplicitAny: a template is as deep as CloudFormation
type Properties = any;
type NameOf = (properties: Properties) => unknown;

/** Names that must be unique per account. */
const GLOBAL: Record<string, NameOf> = {
  'AWS::CloudFront::CachePolicy': ({ CachePolicyConfig }) => CachePolicyConfig.Name,
  'AWS::CloudFront::Function': ({ Name }) => Name,
  'AWS::CloudFront::OriginAccessControl': ({ OriginAccessControlConfig }) => OriginAccessControlConfig.Name,
  'AWS::CloudFront::OriginRequestPolicy': ({ OriginRequestPolicyConfig }) => OriginRequestPolicyConfig.Name,
  'AWS::CloudFront::ResponseHeadersPolicy': ({ ResponseHeadersPolicyConfig }) => ResponseHeadersPolicyConfig.Name,
  'AWS::CloudWatch::Dashboard': ({ DashboardName }) => DashboardName,
  'AWS::IAM::ManagedPolicy': ({ ManagedPolicyName }) => ManagedPolicyName,
  'AWS::IAM::Role': ({ RoleName }) => RoleName,
  'AWS::S3::Bucket': ({ BucketName }) => BucketName,
};

/** Names that must be unique per account and region. */
const REGIONAL: Record<string, NameOf> = {
  'AWS::CloudWatch::Alarm': ({ AlarmName }) => AlarmName,
  'AWS::CodeDeploy::Application': ({ ApplicationName }) => ApplicationName,
  'AWS::DynamoDB::GlobalTable': ({ TableName }) => TableName,
  'AWS::Events::Rule': ({ Name }) => Name,
  'AWS::KMS::Alias': ({ AliasName }) => AliasName,
  'AWS::Lambda::Function': ({ FunctionName }) => FunctionName,
  'AWS::Lambda::LayerVersion': ({ LayerName }) => LayerName,
  'AWS::Logs::LogGroup': ({ LogGroupName }) => LogGroupName,
  'AWS::S3Vectors::VectorBucket': ({ VectorBucketName }) => VectorBucketName,
  'AWS::SNS::Topic': ({ TopicName }) => TopicName,
  'AWS::SQS::Queue': ({ QueueName }) => QueueName,
  'AWS::SecretsManager::Secret': ({ Name }) => Name,
  'AWS::WAFv2::WebACL': ({ Name }) => Name,
};

/** Names within another resource, names that may repeat, and names of the operator's choice. */
const OTHERS: ReadonlySet<string> = new Set([
  'AWS::ApiGateway::BasePathMapping DomainName',
  'AWS::ApiGateway::DomainName DomainName',
  'AWS::ApiGateway::RestApi Name',
  'AWS::ApiGateway::Stage StageName',
  'AWS::ApiGatewayV2::Api Name',
  'AWS::ApiGatewayV2::Stage StageName',
  'AWS::CodeDeploy::DeploymentGroup DeploymentConfigName',
  'AWS::CodeDeploy::DeploymentGroup DeploymentGroupName',
  'AWS::IAM::Policy PolicyName',
  'AWS::Lambda::Alias Name',
  'AWS::Route53::RecordSet Name',
]);

interface PhysicalName {
  type: string;
  name: string;
  isGlobal: boolean;
}

export interface Environment {
  region: string;
  /** CloudFormation generates it for every stack. */
  stackGuid: string;
}

const ACCOUNT = '123456789012';

/** Returns the names in the templates. CloudFormation generates all others, with a random part. */
export function physicalNames({ all }: Synthesised, environment: Environment): PhysicalName[] {
  return all.flatMap(([, { Type: type, Properties = {} }]) => {
    const name = (GLOBAL[type] ?? REGIONAL[type])?.(Properties);
    return name === undefined ? [] : [{ type, name: resolve(name, environment), isGlobal: type in GLOBAL }];
  });
}

/** Returns properties that look like names but are in neither list. */
export const unknownNames = ({ all }: Synthesised): string[] => [
  ...new Set(
    all.flatMap(([, { Type, Properties = {} }]) =>
      Type in GLOBAL || Type in REGIONAL
        ? []
        : Object.entries(Properties)
            .filter(([property, value]) => /^(?:\w+)?Name$/.test(property) && isGiven(value))
            .map(([property]) => `${Type} ${property}`)
            .filter(each => !OTHERS.has(each)),
    ),
  ),
];

/** Returns true for a literal text, false for the name of another resource. */
const isGiven = (value: Properties): boolean => typeof value === 'string' || Boolean(value?.['Fn::Join']);

function resolve(value: Properties, environment: Environment): string {
  const { region, stackGuid } = environment;
  if (typeof value === 'string') return value;
  const pseudo: Record<string, string> = {
    'AWS::AccountId': ACCOUNT,
    'AWS::Region': region,
    'AWS::StackId': `arn:aws:cloudformation:${region}:${ACCOUNT}:stack/Parley/${stackGuid}`,
  };
  if (value.Ref in pseudo) return pseudo[value.Ref]!;
  if (value['Fn::Join']) {
    const [separator, parts] = value['Fn::Join'];
    return parts.map((part: Properties) => resolve(part, environment)).join(separator);
  }
  if (value['Fn::Select']) {
    const [index, { 'Fn::Split': split }] = value['Fn::Select'];
    return resolve(split[1], environment).split(split[0])[index]!;
  }
  throw new Error(`A name is made of ${JSON.stringify(value)}. Teach this function to resolve it.`);
}
