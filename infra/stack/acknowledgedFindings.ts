/** Accepted findings of cdk-nag's AwsSolutions pack. A test rejects any other finding, and entries that match none. */

interface AcknowledgedFinding {
  /** The rule, and for policies the action or resource found. */
  finding: RegExp;
  construct: RegExp;
  reason: string;
}

export const ACKNOWLEDGED_FINDINGS: readonly AcknowledgedFinding[] = [
  {
    finding: /^AwsSolutions-IAM5\[Resource::\*\]$/,
    construct: /^Tracing\//,
    reason: 'Segments cannot be restricted to a resource. The policy allows only sending them.',
  },
  {
    finding: /^AwsSolutions-SQS3$/,
    construct: /^Queues\/FailedChanges\//,
    reason: 'It is the dead-letter queue of the stream, which the event source references instead of a queue.',
  },
  {
    finding: /^AwsSolutions-S1$/,
    construct: /^Data\/Bucket\//,
    reason:
      'The log would contain presigned URLs, which are valid until they expire. The functions that sign them log.',
  },
  {
    finding: /^AwsSolutions-SMG4$/,
    construct: /^Sealing\//,
    reason: 'Stored secrets cannot be decrypted without the sealing key. A rotation would have to re-encrypt them.',
  },
  {
    finding: /^AwsSolutions-CFR3$/,
    construct: /^Data\/Content\//,
    reason: 'As for the bucket, the log would contain the presigned URLs of files.',
  },
  {
    finding: /^AwsSolutions-CFR1$/,
    construct: /^Data\/Content\//,
    reason: 'Signatures authorize reads, independently of the country. An operator can add a restriction.',
  },
  {
    finding: /^AwsSolutions-CFR2$/,
    construct: /^Data\/Content\//,
    reason: 'It serves presigned GET requests only. A web ACL for CloudFront would have to be in us-east-1.',
  },
  {
    finding: /^AwsSolutions-CFR4$/,
    construct: /^Data\/Content\//,
    reason: 'The certificate of cloudfront.net allows no other minimum. A custom domain does.',
  },
  {
    finding: /^AwsSolutions-CFR7$/,
    construct: /^Data\/Content\//,
    reason: 'Requests are presigned. Origin access control would replace their signature.',
  },
  {
    finding: /^AwsSolutions-(S1|CFR3)$/,
    construct: /^Console\//,
    reason: 'It serves public files. The APIs log the calls of the console.',
  },
  {
    finding: /^AwsSolutions-CFR[12]$/,
    construct: /^Console\/Distribution\//,
    reason: 'It serves static files. The APIs authorize users.',
  },
  {
    finding: /^AwsSolutions-CFR4$/,
    construct: /^Console\/Distribution\//,
    reason: 'The certificate of cloudfront.net allows no other minimum.',
  },
  {
    finding: /^AwsSolutions-(L1|IAM4\[Policy::.*AWSLambdaBasicExecutionRole\]|IAM5\[.*\])$/,
    construct: /^Custom::CDKBucketDeployment/,
    reason: "The CDK's own function, which copies the built files in a deployment. Only CloudFormation calls it.",
  },
  {
    finding: /^AwsSolutions-IAM4\[Policy::.*AmazonAPIGatewayPushToCloudWatchLogs\]$/,
    construct: /^GatewayAccount\/LogRole\//,
    reason: 'API Gateway accepts this role only with the permissions of that policy on all log groups of the account.',
  },
  {
    finding:
      /^AwsSolutions-IAM5\[Resource::.*Bucket.*\/(?:values|files|assets|bodies|uploads|parked|snapshots|exports)\/\*\]$/,
    construct: /\/Role\//,
    reason: 'The objects of one kind, which the function declares.',
  },
  {
    finding: /^AwsSolutions-IAM5\[Resource::<Bucket\d+\.VectorBucketArn>\/index\/\*\]$/,
    construct: /^Vectors\/(?:Search|Write|Remove)Policy\//,
    reason: 'Bots and searchable tables have their own vector indexes, created on first use.',
  },
  {
    finding: /^AwsSolutions-IAM5\[Resource::arn:<AWS::Partition>:bedrock:\*::foundation-model\/[\w.:-]+\]$/,
    construct: /^(?:workOnRows|cognitive-functions\/cognitive-\w+)\/Role\//,
    reason: 'An inference profile calls its model in several regions.',
  },
  {
    finding: /^AwsSolutions-IAM5\[Resource::arn:<AWS::Partition>:lambda:.*:function:Parley-\w+-\*\]$/,
    construct: /^(?:Chat|Platform|Webhook|Socket)Api\/GatewayRole\//,
    reason: "One role for all routes of an API, limited to its groups' functions by name.",
  },
  {
    finding: /^AwsSolutions-IAM5\[Resource::arn:<AWS::Partition>:lambda:.*:function:Parley-code-\*\]$/,
    construct: /\/Role\//,
    reason: 'Functions of deployed code, which the platform creates and deletes. No other function has this prefix.',
  },
  {
    finding:
      /^AwsSolutions-IAM5\[Resource::arn:<AWS::Partition>:execute-api:.*\/socket\/(?:POST|DELETE)\/@connections\/\*\]$/,
    construct: /^(?:pushSignals|keepConnections|botChat-functions\/botChat-callAction)\/Role\//,
    reason: 'Ids of connections are known only while they are open.',
  },
  {
    finding: /^AwsSolutions-APIG4$/,
    construct: /^SocketApi\/\w+-route$/,
    reason: 'The function of `$connect` authorizes a connection by its user key or token, as the other APIs do.',
  },
  {
    finding: /^AwsSolutions-APIG2$/,
    construct: /^(?:Chat|Platform|Webhook)Api\/Api\//,
    reason: 'Functions validate requests by the schemas of the operations and return detailed errors.',
  },
  {
    finding: /^AwsSolutions-APIG3$/,
    construct: /^(?:Chat|Platform|Webhook)\/Stage\//,
    reason: 'The web ACL is a setting (`firewall=on`), because it has a fixed monthly price.',
  },
  {
    finding: /^AwsSolutions-APIG6$/,
    construct: /^(?:Chat|Platform|Webhook)\/Stage\//,
    reason:
      'Execution logs would contain headers and bodies. The access log has every request, and functions log failures.',
  },
];
