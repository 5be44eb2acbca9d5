import { describe, expect, it } from 'vitest';
import { openKernel, pack } from '#shared/ai/embedders/local/matrixKernel.ts';

describe('the matrix kernel', () => {
  it.each([
    { rows: 4, inner: 4, columns: 8 },
    { rows: 8, inner: 12, columns: 24 },
    { rows: 12, inner: 256, columns: 16 },
  ])('multiplies $rows × $inner by $inner × $columns within larger matrices', ({ rows, inner, columns }) => {
    const kernel = openKernel();
    const [leftStride, resultStride] = [inner + 3, columns + 5];
    const places = { left: kernel.allocate(rows * leftStride), right: kernel.allocate(inner * columns) };
    const more = { bias: kernel.allocate(columns), result: kernel.allocate(rows * resultStride) };
    const product = { ...places, ...more, leftStride, resultStride, rows, inner, columns };
    const numbers = kernel.numbers();
    const left = (row: number, i: number) => ((row * 7 + i * 3) % 11) - 5;
    const right = (i: number, column: number) => ((i * 5 + column) % 13) - 6;
    for (let row = 0; row < rows; row++) {
      for (let i = 0; i < inner; i++) numbers[product.left + row * leftStride + i] = left(row, i);
    }
    pack(numbers.subarray(product.right), { rows: inner, columns, at: right });
    for (let column = 0; column < columns; column++) numbers[product.bias + column] = column;
    numbers.fill(-1, product.result);

    kernel.multiply(product);

    const indices = (length: number) => Array.from({ length }, (_, i) => i);
    const row = (at: number) => {
      const start = product.result + at * resultStride;
      return [...numbers.subarray(start, start + resultStride)];
    };
    expect(indices(rows).map(row)).toEqual(
      indices(rows).map(at => [
        ...indices(columns).map(column =>
          indices(inner).reduce((sum, i) => sum + left(at, i) * right(i, column), column),
        ),
        ...indices(5).map(() => -1),
      ]),
    );
  });

  it('keeps values when it allocates more memory', () => {
    const kernel = openKernel();
    const first = kernel.allocate(3);
    kernel.numbers()[first] = 7;

    const second = kernel.allocate(1_000_000);

    expect(second).toBe(4);
    expect(kernel.numbers()[first]).toBe(7);
    expect(kernel.numbers()[second + 999_999]).toBe(0);
  });
});
