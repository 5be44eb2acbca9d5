/** Scales a vector to length 1. @throws Error for a vector of zeros or non-finite values */
export function normalise(values: ArrayLike<number>): Float32Array {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! * values[i]!;
  if (!(sum > 0 && sum < Number.POSITIVE_INFINITY))
    throw new Error('The vector has only zeros or contains non-numbers.');
  const length = Math.sqrt(sum);
  const result = new Float32Array(values.length);
  for (let i = 0; i < values.length; i++) result[i] = values[i]! / length;
  return result;
}

/** Returns the cosine for unit vectors. */
export function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

export const asCosine = (value: number) => Math.min(1, Math.max(-1, value));
