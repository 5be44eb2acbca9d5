/**
 * Who computes the columns of tables that a language model fills in, by the context `model`: the id of a model of Amazon
 * Bedrock, or of an inference profile (`eu.anthropic.…`). Without it there is none.
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

/** An inference profile of the system's, which spreads calls over regions, is called like its model behind such a word. */
const PROFILE = /^(?:us|us-gov|eu|apac|au|ca|jp|global)\.(.+)$/;

export function modelFrom(scope: Construct): Model {
  const model: string | undefined = scope.node.tryGetContext('model');
  if (!model) return { variables: {}, statements: [] };
  const profiled = PROFILE.exec(model)?.[1];
  const resources = profiled
    ? [
        `arn:${Aws.PARTITION}:bedrock:${Aws.REGION}:${Aws.ACCOUNT_ID}:inference-profile/${model}`,
        `arn:${Aws.PARTITION}:bedrock:*::foundation-model/${profiled}`,
      ]
    : [`arn:${Aws.PARTITION}:bedrock:${Aws.REGION}::foundation-model/${model}`];
  return {
    variables: { [MODEL_VARIABLES.model]: `bedrock:${model}` },
    statements: [new PolicyStatement({ actions: ['bedrock:InvokeModel'], resources })],
  };
}
