/**
 * Universal Sentence Encoder lite, a transformer of two layers (Cer et al., Universal Sentence Encoder, 2018). The mean
 * of the pieces' vectors after the last layer passes through one dense layer.
 */
import { normalise } from '#shared/ai/vectors.ts';
import { MEANING_DIMENSIONS } from './embeddingModel.ts';
import { type Dense, type Layer, type Norm, openLayers, PIECE_WIDTH } from './encoderLayers.ts';
import { openKernel, pack, TILE } from './matrixKernel.ts';

const DIMENSIONS = MEANING_DIMENSIONS;
export const PIECES_LIMIT = 128;

const HIDDEN_WIDTH = 1_536;
const HEADS = 4;
const EPSILON = 1e-6;

interface Matrix {
  at: number;
  stride: number;
}

const roundUp = (value: number, multiple: number) => Math.ceil(value / multiple) * multiple;

/**
 * @param weightsOf returns weights by name
 * @returns a function from the ids of pieces, of which the first {@link PIECES_LIMIT} count, to a unit vector
 */
export function openEncoder(weightsOf: (name: string) => Float32Array): (ids: readonly number[]) => Float32Array {
  const kernel = openKernel();
  const { pieces, wavelengths, layers, last } = openLayers(kernel, weightsOf);

  const matrix = (stride: number): Matrix => ({ at: kernel.allocate(PIECES_LIMIT * stride), stride });
  const input = matrix(DIMENSIONS);
  const normed = matrix(DIMENSIONS);
  const projected = matrix(3 * DIMENSIONS);
  const keys = kernel.allocate(PIECES_LIMIT * DIMENSIONS);
  const weightsOfPieces = matrix(PIECES_LIMIT);
  const attended = matrix(DIMENSIONS);
  const residual = matrix(DIMENSIONS);
  const hidden = matrix(HIDDEN_WIDTH);
  const zeros = kernel.allocate(PIECES_LIMIT);
  const numbers = kernel.numbers();

  function apply(dense: Dense, from: Matrix, to: Matrix, count: number): void {
    kernel.multiply({
      left: from.at,
      leftStride: from.stride,
      right: dense.weights,
      bias: dense.bias,
      result: to.at,
      resultStride: to.stride,
      rows: roundUp(count, TILE.rows),
      inner: dense.inputs,
      columns: dense.outputs,
    });
  }

  /** Looks up the pieces' vectors. The model adds its input to its input with position, hence the factor 2. */
  function lookUp(ids: readonly number[]): void {
    const half = wavelengths.length;
    for (const [position, id] of ids.entries()) {
      const row = input.at + position * input.stride;
      for (let i = 0; i < PIECE_WIDTH; i++) {
        const angle = position * wavelengths[i % half]!;
        const timing = i < half ? Math.sin(angle) : Math.cos(angle);
        numbers[row + i] = 2 * numbers[pieces + id * PIECE_WIDTH + i]! + timing;
      }
    }
  }

  function normaliseRows(from: Matrix, { scale, bias }: Norm, count: number): void {
    const width = scale.length;
    for (let position = 0; position < count; position++) {
      const row = from.at + position * from.stride;
      const target = normed.at + position * normed.stride;
      let sum = 0;
      for (let i = 0; i < width; i++) sum += numbers[row + i]!;
      const mean = sum / width;
      let squares = 0;
      for (let i = 0; i < width; i++) squares += (numbers[row + i]! - mean) ** 2;
      const factor = 1 / Math.sqrt(squares / width + EPSILON);
      for (let i = 0; i < width; i++) numbers[target + i] = (numbers[row + i]! - mean) * factor * scale[i]! + bias[i]!;
    }
  }

  /**
   * One head of the attention: the mean of all pieces' values, weighted by the match of their keys with a piece's
   * query.
   */
  function attend(head: number, width: number, count: number): void {
    const size = width / HEADS;
    const columns = roundUp(count, TILE.columns);
    const slice = (part: number) => projected.at + part * width + head * size;
    const [query, key, value] = [slice(0), slice(1), slice(2)];
    const inRow = (start: number, position: number, i: number) =>
      position < count ? numbers[start + position * projected.stride + i]! : 0;

    pack(numbers.subarray(keys, keys + size * columns), {
      rows: size,
      columns,
      at: (row, column) => inRow(key, column, row),
    });
    const match = { weights: keys, bias: zeros, inputs: size, outputs: columns };
    apply(match, { at: query, stride: projected.stride }, weightsOfPieces, count);
    softmaxRows(count, columns, 1 / Math.sqrt(size));
    pack(numbers.subarray(keys, keys + size * columns), {
      rows: columns,
      columns: size,
      at: (row, column) => inRow(value, row, column),
    });
    const average = { weights: keys, bias: zeros, inputs: columns, outputs: size };
    apply(average, weightsOfPieces, { at: attended.at + head * size, stride: attended.stride }, count);
  }

  function softmaxRows(count: number, columns: number, scale: number): void {
    for (let position = 0; position < count; position++) {
      const row = weightsOfPieces.at + position * weightsOfPieces.stride;
      let highest = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < count; i++) highest = Math.max(highest, numbers[row + i]!);
      let sum = 0;
      for (let i = 0; i < count; i++) {
        const power = Math.exp((numbers[row + i]! - highest) * scale);
        numbers[row + i] = power;
        sum += power;
      }
      for (let i = 0; i < count; i++) numbers[row + i]! /= sum;
      numbers.fill(0, row + count, row + columns);
    }
  }

  function addRows(from: Matrix, to: Matrix, count: number): void {
    for (let position = 0; position < count; position++) {
      const [source, target] = [from.at + position * from.stride, to.at + position * to.stride];
      for (let i = 0; i < DIMENSIONS; i++) numbers[target + i]! += numbers[source + i]!;
    }
  }

  function run(layer: Layer, count: number): void {
    normaliseRows(input, layer.attentionNorm, count);
    apply(layer.project, normed, projected, count);
    for (let head = 0; head < HEADS; head++) attend(head, layer.width, count);
    if (layer.widen) {
      apply(layer.widen, input, residual, count);
      apply(layer.joinHeads, attended, input, count);
      addRows(residual, input, count);
    } else {
      apply(layer.joinHeads, attended, residual, count);
      addRows(residual, input, count);
    }
    normaliseRows(input, layer.feedForwardNorm, count);
    apply(layer.hidden, normed, hidden, count);
    const end = hidden.at + count * hidden.stride;
    for (let i = hidden.at; i < end; i++) numbers[i] = Math.max(0, numbers[i]!);
    apply(layer.output, hidden, residual, count);
    addRows(residual, input, count);
  }

  function average(count: number): void {
    for (let i = 0; i < DIMENSIONS; i++) {
      let sum = 0;
      for (let position = 0; position < count; position++) sum += numbers[input.at + position * input.stride + i]!;
      numbers[input.at + i] = sum / count;
    }
  }

  return ids => {
    const read = ids.slice(0, PIECES_LIMIT);
    lookUp(read);
    for (const layer of layers) run(layer, read.length);
    average(read.length);
    apply(last, input, residual, 1);
    return normalise(numbers.subarray(residual.at, residual.at + DIMENSIONS).map(Math.tanh));
  };
}
