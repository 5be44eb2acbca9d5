import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { describe, expect, it } from 'vitest';
import { openSentenceModel } from '#shared/ai/embedders/sentenceModels/sentenceModel.ts';
import { dotProduct } from '#shared/ai/vectors.ts';
import { AWKWARD_TEXTS } from '#test/shared/ai/search/awkwardTexts.ts';

const FOLDER = join(import.meta.dirname, '../../../../../infra/vendored/models/all-MiniLM-L6-v2');
const read = (file: string) => readFileSync(join(FOLDER, file));

/** By `reference.py`. */
const references: { text: string; ids: number[]; vector: number[] }[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'reference.json'), 'utf8'),
);
const STEP = 24;
/**
 * The model rounds activations to 8 bits, so differences in the last digit of a float between two builds of the runtime
 * grow. Most vectors agree to four digits.
 */
const MIN_COSINE = { each: 0.99, mean: 0.999 };

const embed = await openSentenceModel({ folder: FOLDER, pooling: 'mean' });
const similarity = async (a: string, b: string) => dotProduct((await embed(a))!, (await embed(b))!);

const cosine = (a: readonly number[], b: readonly number[]) => {
  const product = (x: readonly number[], y: readonly number[]) => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
};

describe('the model of the repository', () => {
  it('is the published file', () => {
    expect(createHash('sha256').update(read('onnx/model_quantized.onnx')).digest('hex')).toBe(
      'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
    );
  });

  it('splits texts into the same pieces as the reference implementation', () => {
    const { truncation, padding: _, ...file } = JSON.parse(String(read('tokenizer.json')));
    const tokenizer = new Tokenizer(file, {});

    for (const { text, ids } of references) {
      const whole = tokenizer.encode(text).ids;
      const limited = whole.length > truncation.max_length ? [...whole.slice(0, 127), whole.at(-1)] : whole;
      expect(limited, text).toEqual(ids);
    }
  });

  it('computes the same vectors as the reference implementation', async () => {
    expect(references).toHaveLength(50);
    let sum = 0;
    for (const { text, vector } of references) {
      const computed = await embed(text);
      const components = [...computed!].filter((_, i) => i % STEP === 0);
      const agreement = cosine(components, vector);
      sum += agreement;
      expect(agreement, text).toBeGreaterThan(MIN_COSINE.each);
      expect(dotProduct(computed!, computed!)).toBeCloseTo(1, 5);
    }
    expect(sum / references.length).toBeGreaterThan(MIN_COSINE.mean);
  });

  it('places texts with the same meaning close together, and others apart', async () => {
    expect(await similarity('car', 'automobile')).toBeGreaterThan((await similarity('car', 'cheese')) + 0.2);
    const question = 'How do I get my money back?';
    expect(await similarity(question, 'Refunds are issued within 14 days.')).toBeGreaterThan(
      (await similarity(question, 'The office opens at nine on Mondays.')) + 0.1,
    );
  });

  it('ignores the text beyond the pieces that its tokenizer declares', async () => {
    const start = 'dog '.repeat(126);

    expect(await similarity(start, `${start} cheese`)).toBeCloseTo(1, 5);
    expect(await similarity('dog', 'dog cheese')).toBeLessThan(0.95);
  });

  it.each(Object.entries(AWKWARD_TEXTS))('accepts %s', async (_, text) => {
    const vector = await embed(text);

    if (vector) expect(dotProduct(vector, vector)).toBeCloseTo(1, 5);
    else expect(text.trim()).toBe('');
  });
});
