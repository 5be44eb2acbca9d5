export { generateText } from './generateText.ts';
export { generateTextStream } from './generateTextStream.ts';
export { listModels } from './listModels.ts';
