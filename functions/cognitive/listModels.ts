import * as z from 'zod/mini';
import { modelFacts } from '#shared/ai/languageModels/modelFacts.ts';
import { ok } from '#shared/api/operation.ts';
import { cognitiveOperation } from '#shared/api/operations/platform.ts';
import { ModelView } from '#shared/domain/cognitive/cognitiveViews.ts';
import { ANY_MODEL, requireModel, wireIdOf } from '#shared/domain/cognitive/servedModel.ts';

export const listModels = cognitiveOperation({
  name: 'listModels',
  summary: "Lists the installation's language model, with the prices and limits set by the operator.",
  method: 'GET',
  path: '/cognitive/models',
  scope: 'bot',
  table: 'reads',
  model: 'invokes',
  output: z.object({ models: z.array(ModelView) }),
  statuses: [200],

  handle: async () => {
    const model = await requireModel();
    const facts = modelFacts();
    const view = {
      id: wireIdOf(model),
      name: model.id,
      description: 'The language model of this installation.',
      aliases: [...ANY_MODEL],
      tags: [],
      input: { maxTokens: facts.inputTokens, costPer1MTokens: facts.inputPrice },
      output: { maxTokens: facts.outputTokens, costPer1MTokens: facts.outputPrice },
      lifecycle: 'production' as const,
    };
    return ok({ models: [view] });
  },
});
