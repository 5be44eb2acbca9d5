import { Frames, MEGABYTE, ok } from '#shared/api/operation.ts';
import { cognitiveOperation } from '#shared/api/operations/platform.ts';
import { GenerateInput } from '#shared/domain/cognitive/cognitiveInputs.ts';
import { ChunkView } from '#shared/domain/cognitive/cognitiveViews.ts';
import { generateStream } from '#shared/domain/cognitive/generateText.ts';

export const generateTextStream = cognitiveOperation({
  name: 'generateTextStream',
  summary:
    'Generates like generateText, and streams the response as lines of JSON. The last line has the tool calls and metadata.',
  method: 'POST',
  path: '/cognitive/generate-text-stream',
  scope: 'bot',
  table: 'writes',
  model: 'streams',
  payloadLimitBytes: 4 * MEGABYTE,
  body: GenerateInput,
  streams: ChunkView,
  streamsAs: 'lines',
  output: Frames,
  statuses: [200],

  handle: async call => ok(await generateStream(call.input, call)),
});
