/**
 * The language model that fills in computed columns and answers the group cognitive, by the context `model`: the id of an
 * Amazon Bedrock model or of an inference profile (`eu.anthropic.…`). Without it, neither works.
 */
import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { MODEL_VARIABLES } from '#shared/ai/chooseModel.ts';

export interface Model {
  /** The environment of a function that asks it. */
  variables: Record<string, string>;
  statementsFor(use: 'asks' | 'streams'): PolicyStatement[];
}

/** A system-defined inference profile routes calls across regions and is named `<area>.<model>`. */
const PROFILE = /^(?:us|us-gov|eu|apac|au|ca|jp|global)\.(.+)$/;

const ACTIONS = { asks: 'bedrock:InvokeModel', streams: 'bedrock:InvokeModelWithResponseStream' };

/** Contexts of the model's prices and limits, of the names that the variables have in camel case. */
const FACTS = ['inputPrice', 'outputPrice', 'inputTokens', 'outputTokens'] as const;

/** @throws Error that names a context which is no number */
function factsFromContext(scope: Construct): Record<string, string> {
  const given = FACTS.map(fact => {
    const context = `model${fact[0]!.toUpperCase()}${fact.slice(1)}`;
    const value: string | number | undefined = scope.node.tryGetContext(context);
    if (value !== undefined && !/^\d+(\.\d+)?$/.test(String(value))) {
      throw new Error(`The context ${context} must be a number, 0 or more, not ${value}.`);
    }
    return [MODEL_VARIABLES[fact], value] as const;
  });
  return Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
}

export function modelFromContext(scope: Construct): Model {
  const model: string | undefined = scope.node.tryGetContext('model');
  if (!model) return { variables: {}, statementsFor: () => [] };
  const profiledModel = PROFILE.exec(model)?.[1];
  const resources = profiledModel
    ? [
        `arn:${Aws.PARTITION}:bedrock:${Aws.REGION}:${Aws.ACCOUNT_ID}:inference-profile/${model}`,
        `arn:${Aws.PARTITION}:bedrock:*::foundation-model/${profiledModel}`,
      ]
    : [`arn:${Aws.PARTITION}:bedrock:${Aws.REGION}::foundation-model/${model}`];
  return {
    variables: { [MODEL_VARIABLES.model]: `bedrock:${model}`, ...factsFromContext(scope) },
    statementsFor: use => [new PolicyStatement({ actions: [ACTIONS[use]], resources })],
  };
}
