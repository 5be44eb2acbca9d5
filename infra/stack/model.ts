/**
 * The language model that fills in computed columns, by the context `model`: the id of an Amazon Bedrock model or of an
 * inference profile (`eu.anthropic.…`). Without it, no such column can be computed.
 */
import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { MODEL_VARIABLES } from '#shared/ai/chooseModel.ts';

export interface Model {
  /** The environment of a function that asks it. */
  variables: Record<string, string>;
  statements: PolicyStatement[];
}

/** A system-defined inference profile routes calls across regions and is named `<area>.<model>`. */
const PROFILE = /^(?:us|us-gov|eu|apac|au|ca|jp|global)\.(.+)$/;

export function modelFromContext(scope: Construct): Model {
  const model: string | undefined = scope.node.tryGetContext('model');
  if (!model) return { variables: {}, statements: [] };
  const profiledModel = PROFILE.exec(model)?.[1];
  const resources = profiledModel
    ? [
        `arn:${Aws.PARTITION}:bedrock:${Aws.REGION}:${Aws.ACCOUNT_ID}:inference-profile/${model}`,
        `arn:${Aws.PARTITION}:bedrock:*::foundation-model/${profiledModel}`,
      ]
    : [`arn:${Aws.PARTITION}:bedrock:${Aws.REGION}::foundation-model/${model}`];
  return {
    variables: { [MODEL_VARIABLES.model]: `bedrock:${model}` },
    statements: [new PolicyStatement({ actions: ['bedrock:InvokeModel'], resources })],
  };
}
