/** Arithmetic of vectors. */

/** The same direction, with length 1. @throws when there is no direction: all zeros, or something that is no number */
export function normalise(values: ArrayLike<number>): Float32Array {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! * values[i]!;
  if (!(sum > 0 && sum < Number.POSITIVE_INFINITY))
    throw new Error('A vector of zeros or of no numbers has no direction.');
  const length = Math.sqrt(sum);
  const result = new Float32Array(values.length);
  for (let i = 0; i < values.length; i++) result[i] = values[i]! / length;
  return result;
}

/** Of vectors of length 1 it is the cosine of the angle between them. */
export function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** A rounding error can make the cosine of an angle a little more than 1. */
export const asCosine = (value: number) => Math.min(1, Math.max(-1, value));
