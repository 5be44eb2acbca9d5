/** Loads the layers of the sentence encoder into the memory of the matrix kernel. */

import { MEANING_DIMENSIONS } from './embeddingModel.ts';
import { type Kernel, pack } from './matrixKernel.ts';

export const PIECE_WIDTH = 256;

const ROOT = 'module_apply_default/Encoder_en/KonaTransformer/Encode';
const KERNELS = 'module/Encoder_en/KonaTransformer/Encode';
const VALUE = 'ConcatPartitions/concat';
const LAYERS = [
  { number: 0, width: PIECE_WIDTH },
  { number: 1, width: MEANING_DIMENSIONS },
];

export interface Dense {
  weights: number;
  bias: number;
  inputs: number;
  outputs: number;
}

export interface Norm {
  scale: Float32Array;
  bias: Float32Array;
}

export interface Layer {
  width: number;
  attentionNorm: Norm;
  project: Dense;
  joinHeads: Dense;
  /** Projects the input to the width of the output, if they differ. */
  widen?: Dense;
  feedForwardNorm: Norm;
  hidden: Dense;
  output: Dense;
}

export function openLayers(kernel: Kernel, weightsOf: (name: string) => Float32Array) {
  function openDense(weightsName: string, biasName: string): Dense {
    const [weights, bias] = [weightsOf(weightsName), weightsOf(biasName)];
    const outputs = bias.length;
    const inputs = weights.length / outputs;
    const dense = { weights: kernel.allocate(weights.length), bias: kernel.allocate(outputs), inputs, outputs };
    const numbers = kernel.numbers();
    pack(numbers.subarray(dense.weights, dense.weights + weights.length), {
      rows: inputs,
      columns: outputs,
      at: (row, column) => weights[row * outputs + column]!,
    });
    numbers.set(bias, dense.bias);
    return dense;
  }

  function open(name: string): number {
    const weights = weightsOf(name);
    const start = kernel.allocate(weights.length);
    kernel.numbers().set(weights, start);
    return start;
  }

  const openNorm = (path: string): Norm => {
    const prefix = `${ROOT}/${path}/layer_prepostprocess/layer_norm/layer_norm`;
    return {
      scale: weightsOf(`${prefix}_scale/${VALUE}`),
      bias: weightsOf(`${prefix}_bias/${VALUE}`),
    };
  };

  function openLayer({ number, width }: (typeof LAYERS)[number]): Layer {
    const path = `Layer_${number}/TransformerLayer`;
    const attention = (name: string) =>
      openDense(
        `${KERNELS}/${path}/MultiheadAttention/${name}/kernel/part_0`,
        `${ROOT}/${path}/MultiheadAttention/${name}/bias/${VALUE}`,
      );
    const feedForward = (name: string) =>
      openDense(
        `${ROOT}/TransformerStack/${path}/FFN/${name}/Tensordot/Reshape_1`,
        `${ROOT}/${path}/FFN/${name}/bias/${VALUE}`,
      );
    const widened = `${ROOT}/${path}/dense`;
    return {
      width,
      attentionNorm: openNorm(path),
      project: attention('qkv_transform_single'),
      joinHeads: attention('output_transform_single'),
      ...(width === MEANING_DIMENSIONS
        ? {}
        : { widen: openDense(`${widened}/kernel/${VALUE}`, `${widened}/bias/${VALUE}`) }),
      feedForwardNorm: openNorm(`${path}/FFN`),
      hidden: feedForward('conv1'),
      output: feedForward('conv2'),
    };
  }

  const pieces = open('module/Embeddings_en');
  const wavelengths = weightsOf(`${ROOT}/TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1`);
  const layers = LAYERS.map(openLayer);
  const hiddenLayer = 'module/Encoder_en/hidden_layers/tanh_layer_0';
  const last = openDense(`${hiddenLayer}/weights`, `${hiddenLayer}/bias`);
  return { pieces, wavelengths, layers, last };
}
