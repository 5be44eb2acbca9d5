/**
 * Findings of cdk-nag's AwsSolutions pack that stay, each with its reason. A test runs the pack over every
 * configuration and refuses any other finding, and an entry that nothing needs any more.
 */

interface AcknowledgedFinding {
  /** The rule, and for policies the action or resource found. */
  finding: RegExp;
  /** The constructs concerned, by their path below the stack. */
  construct: RegExp;
  reason: string;
}

export const ACKNOWLEDGED_FINDINGS: readonly AcknowledgedFinding[] = [
  {
    finding: /^AwsSolutions-IAM5\[Resource::\*\]$/,
    construct: /^Tracing\//,
    reason: 'X-Ray takes segments of no named resource. The policy allows to send them, and nothing else.',
  },
  {
    finding: /^AwsSolutions-VPC7$/,
    construct: /^Listeners\/Network\//,
    reason: 'The network has no way in or out but to three AWS services, whose own logs name each call.',
  },
  {
    finding: /^AwsSolutions-EC23$/,
    construct: /^Listeners\/Network\/Log\//,
    reason: "It is open to the network's own addresses only, which the rule cannot see before deployment.",
  },
  {
    finding: /^AwsSolutions-IAM4\[Policy::.*AWSLambdaManagedEC2ResourceOperator\]$/,
    construct: /^Listeners\/Capacity\/OperatorRole\//,
    reason: 'The policy that AWS made for the role with which Lambda runs its managed instances.',
  },
  {
    finding: /^AwsSolutions-SQS3$/,
    construct: /^Queues\/FailedChanges\//,
    reason: 'It is a dead-letter queue: that of the stream, which names it in the event source and not in a queue.',
  },
  {
    finding: /^AwsSolutions-S1$/,
    construct: /^Data\/Bucket\//,
    reason: 'Presigned URLs would stand in the log, usable until they expire. Each is made by a function, which logs.',
  },
  {
    finding: /^AwsSolutions-SMG4$/,
    construct: /^Sealing\//,
    reason: 'Without the sealing key no stored secret can be read. A rotation would have to encrypt them anew.',
  },
  {
    finding: /^AwsSolutions-CFR3$/,
    construct: /^Data\/Content\//,
    reason: 'As for the bucket: the log would hold the presigned URLs of files.',
  },
  {
    finding: /^AwsSolutions-CFR1$/,
    construct: /^Data\/Content\//,
    reason: 'Who may read a file is decided by a signature, not by a country. An operator can add a restriction.',
  },
  {
    finding: /^AwsSolutions-CFR2$/,
    construct: /^Data\/Content\//,
    reason: 'It serves presigned GET requests only. A web ACL of CloudFront would have to live in us-east-1.',
  },
  {
    finding: /^AwsSolutions-CFR4$/,
    construct: /^Data\/Content\//,
    reason: 'The certificate of cloudfront.net allows no other minimum; one of a domain of its own would.',
  },
  {
    finding: /^AwsSolutions-CFR7$/,
    construct: /^Data\/Content\//,
    reason: 'Requests are presigned already. Origin access control would replace their signature by its own.',
  },
  {
    finding: /^AwsSolutions-(S1|CFR3)$/,
    construct: /^Console\//,
    reason: 'It serves the same public files to everyone, without data. The APIs log each call that the console makes.',
  },
  {
    finding: /^AwsSolutions-CFR[12]$/,
    construct: /^Console\/Distribution\//,
    reason: 'It serves static files. Who signs in, and from where, is decided at the APIs.',
  },
  {
    finding: /^AwsSolutions-CFR4$/,
    construct: /^Console\/Distribution\//,
    reason: 'The certificate of cloudfront.net allows no other minimum.',
  },
  {
    finding: /^AwsSolutions-(L1|IAM4\[Policy::.*AWSLambdaBasicExecutionRole\]|IAM5\[.*\])$/,
    construct: /^Custom::CDKBucketDeployment/,
    reason:
      "The CDK's own function, which copies the built files at a deployment and is called by CloudFormation only.",
  },
  {
    finding: /^AwsSolutions-IAM4\[Policy::.*AmazonAPIGatewayPushToCloudWatchLogs\]$/,
    construct: /^GatewayAccount\/LogRole\//,
    reason: 'API Gateway accepts this role only with the rights of that policy, on all log groups of the account.',
  },
  {
    finding:
      /^AwsSolutions-IAM5\[Resource::.*Bucket.*\/(?:values|files|assets|bodies|uploads|parked|snapshots|exports)\/\*\]$/,
    construct: /\/Role\//,
    reason: 'The objects of one kind, which a function is declared to read or write.',
  },
  {
    finding: /^AwsSolutions-IAM5\[Resource::<Bucket\d+\.VectorBucketArn>\/index\/\*\]$/,
    construct: /^Vectors\/(?:Search|Write)Policy\//,
    reason: 'Bots and searchable tables have vector indexes of their own, created when something is first indexed.',
  },
  {
    finding: /^AwsSolutions-IAM5\[Resource::arn:<AWS::Partition>:bedrock:\*::foundation-model\/[\w.:-]+\]$/,
    construct: /^(?:workOnRows|cognitive-functions\/cognitive-\w+)\/Role\//,
    reason: 'An inference profile calls its one model in several regions.',
  },
  {
    finding: /^AwsSolutions-IAM5\[Resource::arn:<AWS::Partition>:lambda:.*:function:Parley-\w+-\*\]$/,
    construct: /^(?:Chat|Platform|Webhook)\/GatewayRole\//,
    reason: 'One role for all routes of an API, limited to the functions of its groups by their names.',
  },
  {
    finding: /^AwsSolutions-IAM5\[Resource::arn:<AWS::Partition>:lambda:.*:function:Parley-code-\*\]$/,
    construct: /\/Role\//,
    reason: 'The functions of deployed code, which the platform makes and removes itself; nothing else is named so.',
  },
  {
    finding: /^AwsSolutions-APIG2$/,
    construct: /^(?:Chat|Platform|Webhook)\/Api\//,
    reason: 'Functions validate requests by the schemas of the operations and say in the answer what is wrong.',
  },
  {
    finding: /^AwsSolutions-APIG3$/,
    construct: /^(?:Chat|Platform|Webhook)\/Api\//,
    reason: 'The web ACL is a setting (`firewall=on`), because it costs when nobody calls.',
  },
  {
    finding: /^AwsSolutions-APIG6$/,
    construct: /^(?:Chat|Platform|Webhook)\/Api\//,
    reason: 'Execution logs would hold headers and bodies. The access log has every request, functions log failures.',
  },
];
