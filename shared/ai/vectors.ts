/** Vector arithmetic. */

/** Scales a vector to length 1. @throws Error for a vector of zeros or with a value that is not finite */
export function normalise(values: ArrayLike<number>): Float32Array {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! * values[i]!;
  if (!(sum > 0 && sum < Number.POSITIVE_INFINITY))
    throw new Error('A vector of zeros or non-numbers has no direction.');
  const length = Math.sqrt(sum);
  const result = new Float32Array(values.length);
  for (let i = 0; i < values.length; i++) result[i] = values[i]! / length;
  return result;
}

/** For vectors of length 1, the cosine of their angle. */
export function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** Clamps rounding errors: a computed cosine can slightly exceed 1. */
export const asCosine = (value: number) => Math.min(1, Math.max(-1, value));
