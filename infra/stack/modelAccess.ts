/** Access to the language model that the setting `model` selects, for computed columns and the group `cognitive`. */
import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { MODEL_VARIABLES } from '#shared/ai/languageModels/chooseModel.ts';

export interface Model {
  variables: Record<string, string>;
  statementsFor(use: 'invokes' | 'streams'): PolicyStatement[];
}

/** A system-defined inference profile is named `<area>.<model>` and routes calls across regions. */
const PROFILE = /^(?:us|us-gov|eu|apac|au|ca|jp|global)\.(.+)$/;

const ACTIONS = { invokes: 'bedrock:InvokeModel', streams: 'bedrock:InvokeModelWithResponseStream' };

function factsOf(scope: Construct): Record<string, string> {
  const { modelInputPrice, modelOutputPrice, modelInputTokens, modelOutputTokens } = settingsOf(scope);
  const facts = {
    [MODEL_VARIABLES.inputPrice]: modelInputPrice,
    [MODEL_VARIABLES.outputPrice]: modelOutputPrice,
    [MODEL_VARIABLES.inputTokens]: modelInputTokens,
    [MODEL_VARIABLES.outputTokens]: modelOutputTokens,
  };
  const given = Object.entries(facts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

export function modelOf(scope: Construct): Model {
  const { model } = settingsOf(scope);
  if (!model) return { variables: {}, statementsFor: () => [] };
  const profiledModel = PROFILE.exec(model)?.[1];
  const resources = profiledModel
    ? [
        `arn:${Aws.PARTITION}:bedrock:${Aws.REGION}:${Aws.ACCOUNT_ID}:inference-profile/${model}`,
        `arn:${Aws.PARTITION}:bedrock:*::foundation-model/${profiledModel}`,
      ]
    : [`arn:${Aws.PARTITION}:bedrock:${Aws.REGION}::foundation-model/${model}`];
  return {
    variables: { [MODEL_VARIABLES.model]: `bedrock:${model}`, ...factsOf(scope) },
    statementsFor: use => [new PolicyStatement({ actions: [ACTIONS[use]], resources })],
  };
}
