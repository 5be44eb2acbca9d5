/**
 * Encodes the smallest sentence model in ONNX, which looks up a vector per word.
 * https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export const DIMENSIONS = 4;
const VECTORS: Record<string, readonly number[]> = {
  '[PAD]': [0, 0, 0, 0],
  '[UNK]': [0, 0, 0, 1],
  car: [1, 0, 0, 0],
  automobile: [0.9, 0.1, 0, 0],
  cheese: [0, 0, 1, 0],
  'query:': [0, 1, 0, 0],
};

type Bytes = readonly number[];
const varint = (value: number): Bytes => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);
const number = (field: number, value: number): Bytes => [...varint(field << 3), ...varint(value)];
const bytes = (field: number, value: Bytes): Bytes => [...varint((field << 3) | 2), ...varint(value.length), ...value];
const text = (field: number, value: string): Bytes => bytes(field, [...Buffer.from(value)]);

const FLOAT = 1;
const INT64 = 7;

const valueInfo = (name: string, type: number, shape: readonly (string | number)[]): Bytes => {
  const dims = shape.flatMap(size => bytes(1, typeof size === 'number' ? number(1, size) : text(2, size)));
  return [...text(1, name), ...bytes(2, bytes(1, [...number(1, type), ...bytes(2, dims)]))];
};

function onnx(): Uint8Array {
  const values = Object.values(VECTORS).flat();
  const table = [
    ...number(1, Object.keys(VECTORS).length),
    ...number(1, DIMENSIONS),
    ...number(2, FLOAT),
    ...text(8, 'table'),
    ...bytes(9, [...new Uint8Array(Float32Array.from(values).buffer)]),
  ];
  const gather = [...text(1, 'table'), ...text(1, 'input_ids'), ...text(2, 'last_hidden_state'), ...text(4, 'Gather')];
  const graph = [
    ...bytes(1, gather),
    ...text(2, 'tiny'),
    ...bytes(5, table),
    ...bytes(11, valueInfo('input_ids', INT64, ['batch', 'length'])),
    ...bytes(11, valueInfo('attention_mask', INT64, ['batch', 'length'])),
    ...bytes(12, valueInfo('last_hidden_state', FLOAT, ['batch', 'length', DIMENSIONS])),
  ];
  return Uint8Array.from([...number(1, 8), ...bytes(7, graph), ...bytes(8, [...text(1, ''), ...number(2, 17)])]);
}

/** Files of the model, as `npm run model` downloads them. */
export const tinyModel: ReadonlyMap<string, string | Uint8Array> = new Map<string, string | Uint8Array>([
  ['config.json', JSON.stringify({ model_type: 'bert', architectures: ['BertModel'], hidden_size: DIMENSIONS })],
  [
    'tokenizer.json',
    JSON.stringify({
      version: '1.0',
      added_tokens: [],
      normalizer: { type: 'Lowercase' },
      pre_tokenizer: { type: 'WhitespaceSplit' },
      post_processor: null,
      decoder: null,
      model: {
        type: 'WordLevel',
        vocab: Object.fromEntries(Object.keys(VECTORS).map((word, id) => [word, id])),
        unk_token: '[UNK]',
      },
    }),
  ],
  [
    'tokenizer_config.json',
    JSON.stringify({ tokenizer_class: 'PreTrainedTokenizer', pad_token: '[PAD]', unk_token: '[UNK]' }),
  ],
  ['onnx/model_quantized.onnx', onnx()],
  ['config_sentence_transformers.json', JSON.stringify({ prompts: { query: 'query: ' } })],
]);

export async function writeTinyModel(folder: string): Promise<void> {
  for (const [file, content] of tinyModel) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content);
  }
}
