/**
 * Runs sentence models in ONNX with ONNX Runtime's WebAssembly build and the tokenizers of Hugging Face. Nothing is
 * downloaded. A model's folder has the files that `npm run model` downloads.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import type { Tensor } from 'onnxruntime-web';
import { normalise } from '#shared/ai/vectors.ts';
import { openOnnxRuntime } from './onnxRuntime.ts';

export interface SentenceModelChoice {
  folder: string;
  /** A text's vector: the mean of its pieces' vectors, or the vector of its first piece. */
  pooling: 'mean' | 'cls';
  /**
   * Maximum share of pieces that are unknown or fragments of words, beyond which a text has no vector. A model of one
   * language splits words of other languages and scripts into many pieces. By default, every text has a vector.
   */
  fragmentsLimit?: number;
}

/** Maximum number of pieces of models that declare no smaller one. */
const PIECES_LIMIT = 512;

/** Pieces of WordPiece tokenizers that continue a word, or are one character of Chinese or Japanese. */
const FRAGMENT = /^(?:##|[^\p{ASCII}]$)/u;

const MODEL_FILE = 'onnx/model_quantized.onnx';

export type SentenceModel = (text: string) => Promise<Float32Array | undefined>;

/**
 * Loads a model.
 * @returns a function from a text to a unit vector, undefined for a blank text and beyond the limit of fragments. A
 * longer text is truncated to the number of pieces that the model's tokenizer declares
 */
export async function openSentenceModel({
  folder,
  pooling,
  fragmentsLimit = 1,
}: SentenceModelChoice): Promise<SentenceModel> {
  const { InferenceSession, Tensor } = openOnnxRuntime();
  const { tokenizer, piecesLimit, unknown } = openTokenizer(folder);
  // Optimizing the graph makes loading slower by a fifth, and not a single text faster.
  const session = await InferenceSession.create(readFileSync(join(folder, MODEL_FILE)), {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'disabled',
  });

  async function encode(ids: readonly number[]): Promise<Float32Array> {
    const tensorOf = (value: (id: number) => number) =>
      new Tensor(
        'int64',
        BigInt64Array.from(ids, id => BigInt(value(id))),
        [1, ids.length],
      );
    const inputs: Record<string, Tensor> = {
      input_ids: tensorOf(id => id),
      attention_mask: tensorOf(() => 1),
      token_type_ids: tensorOf(() => 0),
    };
    const known = Object.entries(inputs).filter(([name]) => session.inputNames.includes(name));
    const outputs = await session.run(Object.fromEntries(known));
    const pieces = outputs.last_hidden_state ?? outputs[session.outputNames[0]!]!;
    return normalise(pool(pieces.data as Float32Array, pieces.dims.at(-1)!, pooling));
  }

  return async text => {
    const { ids, tokens } = tokenizer.encode(text);
    const fragments = tokens.filter((piece: string) => piece === unknown || FRAGMENT.test(piece));
    if (text.trim() === '' || fragments.length > ids.length * fragmentsLimit) return undefined;
    // Keeps the last piece, the end-of-sequence token.
    return encode(ids.length > piecesLimit ? [...ids.slice(0, piecesLimit - 1), ids.at(-1)!] : ids);
  };
}

function openTokenizer(folder: string) {
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const { truncation, padding: _, ...tokenizerFile } = read('tokenizer.json');
  const config = read('tokenizer_config.json');
  const declared = Math.min(truncation?.max_length ?? PIECES_LIMIT, config.model_max_length ?? PIECES_LIMIT);
  const tokenizer = new Tokenizer(tokenizerFile, config);
  return {
    tokenizer,
    piecesLimit: Math.min(declared, PIECES_LIMIT),
    unknown: config.unk_token as string | undefined,
  };
}

function pool(pieces: Float32Array, dimensions: number, pooling: SentenceModelChoice['pooling']): Float32Array {
  if (pooling === 'cls') return pieces.slice(0, dimensions);
  const sum = new Float32Array(dimensions);
  for (let i = 0; i < pieces.length; i++) sum[i % dimensions]! += pieces[i]!;
  return sum;
}
