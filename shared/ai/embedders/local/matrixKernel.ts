/**
 * Multiplies matrices of 32-bit floats with WebAssembly SIMD, eight times as fast as JavaScript. The module is
 * assembled here: one function of three nested loops. Opcodes:
 * https://webassembly.github.io/spec/core/binary/instructions.html
 */

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
/** Node's types lack WebAssembly. */
const { Memory, Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;
interface WebAssemblyApi {
  Memory: new (options: { initial: number }) => Memory;
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: { host: { memory: Memory } }) => { exports: Record<string, unknown> };
}

export const TILE = { rows: 4, columns: 8 } as const;
const UNROLLED = 4;
const FLOAT_BYTES = 4;
const VECTOR_BYTES = 16;
const PAGE_BYTES = 65_536;

/** Matrices as indices of their first numbers in the kernel's memory. Strides are distances between rows. */
interface Product {
  /** `rows` (a multiple of 4) rows of `inner` (a multiple of 4) numbers. */
  left: number;
  leftStride: number;
  right: number;
  /** `columns` (a multiple of 8) numbers, added to each row. */
  bias: number;
  result: number;
  resultStride: number;
  rows: number;
  inner: number;
  columns: number;
}

const PARAMETERS = [
  'left',
  'leftStride',
  'right',
  'bias',
  'result',
  'resultStride',
  'rows',
  'inner',
  'columns',
] as const satisfies readonly (keyof Product)[];
const IN_NUMBERS: ReadonlySet<string> = new Set(['left', 'leftStride', 'right', 'bias', 'result', 'resultStride']);

export interface Kernel {
  allocate(length: number): number;
  /** The allocated memory. The next allocation replaces the array. */
  numbers(): Float32Array;
  multiply(product: Product): void;
}

export function openKernel(): Kernel {
  const memory = new Memory({ initial: 1 });
  const { exports } = new Instance(new Module(assemble()), { host: { memory } });
  const run = exports.multiply as (...values: number[]) => void;
  let used = 0;
  return {
    allocate(length) {
      const start = used;
      used += Math.ceil((length * FLOAT_BYTES) / VECTOR_BYTES) * VECTOR_BYTES;
      const missing = used - memory.buffer.byteLength;
      if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
      return start / FLOAT_BYTES;
    },
    numbers: () => new Float32Array(memory.buffer),
    multiply: product => run(...PARAMETERS.map(name => product[name] * (IN_NUMBERS.has(name) ? FLOAT_BYTES : 1))),
  };
}

/** Lays out a right matrix by tile: all rows of the first eight columns, then of the next eight. */
export function pack(
  target: Float32Array,
  { rows, columns, at }: { rows: number; columns: number; at: (row: number, column: number) => number },
): void {
  let next = 0;
  for (let start = 0; start < columns; start += TILE.columns) {
    for (let row = 0; row < rows; row++) {
      for (let column = start; column < start + TILE.columns; column++) target[next++] = at(row, column);
    }
  }
}

type Code = readonly number[];

const I32 = 0x7f;
const V128 = 0x7b;
const END = 0x0b;
const I32_ADD = 0x6a;
const I32_MUL = 0x6c;
const I32_LESS = 0x49;
const ALIGN_4 = 2;

const unsigned = (value: number): Code => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]);
/** Signed LEB128, for values of at least -64. */
const signed = (value: number): Code =>
  value < 0x40 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >>> 7)];
const constant = (value: number): Code => [0x41, ...signed(value)];
const withLength = (bytes: Code): Code => [...unsigned(bytes.length), ...bytes];
const list = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
const section = (id: number, items: readonly Code[]): Code => [id, ...withLength(list(items))];
const name = (text: string): Code => withLength([...Buffer.from(text)]);

const simd = (opcode: number): Code => [0xfd, ...unsigned(opcode)];
const load = (offset: number): Code => [...simd(0x00), ALIGN_4, ...unsigned(offset)];
const loadSplat = (offset: number): Code => [...simd(0x09), ALIGN_4, ...unsigned(offset)];
const store = (offset: number): Code => [...simd(0x0b), ALIGN_4, ...unsigned(offset)];
const ADD = simd(0xe4);
const MULTIPLY = simd(0xe6);

const indices = (count: number) => Array.from({ length: count }, (_, i) => i);
const ROWS = indices(TILE.rows);
const VECTORS = indices((TILE.columns * FLOAT_BYTES) / VECTOR_BYTES);

const COUNTERS = ['row', 'column', 'step', 'rightStart', 'rightAt', ...ROWS.map(row => `left${row}`), 'target'];
const REGISTERS = [
  ...ROWS.flatMap(row => VECTORS.map(vector => sumOf(row, vector))),
  ...VECTORS.map(vector => `right${vector}`),
  'factor',
];
const LOCALS: readonly string[] = [...PARAMETERS, ...COUNTERS, ...REGISTERS];

function sumOf(row: number, vector: number): string {
  return `sum${row}.${vector}`;
}

const get = (local: string): Code => [0x20, ...unsigned(LOCALS.indexOf(local))];
const set = (local: string, value: Code): Code => [...value, 0x21, ...unsigned(LOCALS.indexOf(local))];
const increase = (local: string, by: Code): Code => set(local, [...get(local), ...by, I32_ADD]);
/** Runs the body for `counter` from 0 to `end` by `step`, at least once. */
const loop = (counter: string, step: number, end: string, body: Code): Code => [
  ...set(counter, constant(0)),
  ...[0x03, 0x40],
  ...body,
  ...increase(counter, constant(step)),
  ...[...get(counter), ...get(end), I32_LESS],
  ...[0x0d, 0x00, END],
];

function assemble(): Uint8Array<ArrayBuffer> {
  const parameterTypes = PARAMETERS.map(() => [I32]);
  const counters = [...unsigned(COUNTERS.length), I32];
  const registers = [...unsigned(REGISTERS.length), V128];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [[0x60, ...list(parameterTypes), ...list([])]]),
    ...section(2, [[...name('host'), ...name('memory'), 0x02, 0x00, 0x01]]),
    ...section(3, [[0x00]]),
    ...section(7, [[...name('multiply'), 0x00, 0x00]]),
    ...section(10, [withLength([...list([counters, registers]), ...multiplication(), END])]),
  ]);
}

const multiplication = (): Code => [
  ...set('rightStart', get('right')),
  ...loop('column', TILE.columns, 'columns', [
    ...set('target', [...get('result'), ...get('column'), ...constant(FLOAT_BYTES), I32_MUL, I32_ADD]),
    ...set('left0', get('left')),
    ...loop('row', TILE.rows, 'rows', [
      ...startSums(),
      ...loop('step', UNROLLED, 'inner', addProducts()),
      ...endRows(),
    ]),
    ...set('rightStart', get('rightAt')),
  ]),
];

/** Sets a tile's sums to the bias and points to its rows. */
const startSums = (): Code => [
  ...set('rightAt', get('rightStart')),
  ...ROWS.slice(1).flatMap(row => set(`left${row}`, [...get(`left${row - 1}`), ...get('leftStride'), I32_ADD])),
  ...VECTORS.flatMap(vector => [
    ...set(sumOf(0, vector), [
      ...[...get('bias'), ...get('column'), ...constant(FLOAT_BYTES), I32_MUL, I32_ADD],
      ...load(vector * VECTOR_BYTES),
    ]),
    ...ROWS.slice(1).flatMap(row => set(sumOf(row, vector), get(sumOf(0, vector)))),
  ]),
];

const addProducts = (): Code => [
  ...indices(UNROLLED).flatMap(step => [
    ...VECTORS.flatMap(vector =>
      set(`right${vector}`, [...get('rightAt'), ...load((step * VECTORS.length + vector) * VECTOR_BYTES)]),
    ),
    ...ROWS.flatMap(row => [
      ...set('factor', [...get(`left${row}`), ...loadSplat(step * FLOAT_BYTES)]),
      ...VECTORS.flatMap(vector =>
        set(sumOf(row, vector), [
          ...get(sumOf(row, vector)),
          ...[...get('factor'), ...get(`right${vector}`), ...MULTIPLY, ...ADD],
        ]),
      ),
    ]),
  ]),
  ...ROWS.flatMap(row => increase(`left${row}`, constant(UNROLLED * FLOAT_BYTES))),
  ...increase('rightAt', constant(UNROLLED * TILE.columns * FLOAT_BYTES)),
];

/** Stores a tile's sums. The last pointer is past its row, so the next row is a stride less that row away. */
const endRows = (): Code => [
  ...ROWS.flatMap(row => [
    ...VECTORS.flatMap(vector => [...get('target'), ...get(sumOf(row, vector)), ...store(vector * VECTOR_BYTES)]),
    ...increase('target', get('resultStride')),
  ]),
  ...set('left0', [
    ...[...get('left3'), ...get('leftStride'), I32_ADD],
    ...[...get('inner'), ...constant(-FLOAT_BYTES), I32_MUL, I32_ADD],
  ]),
];
