/** Medians, because outliers on a shared machine are all slow, and their confidence intervals. */
const RESAMPLES = 2_000;

export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const below = sorted[Math.floor(at)]!;
  return below + (sorted[Math.ceil(at)]! - below) * (at % 1);
}

export const median = (values: readonly number[]) => quantile(values, 0.5);

/** The 95 % bootstrap interval of the median. */
export function medianInterval(values: readonly number[]): [low: number, high: number] {
  const draw = () => values[Math.floor(Math.random() * values.length)]!;
  const medians = Array.from({ length: RESAMPLES }, () => median(values.map(draw)));
  return [quantile(medians, 0.025), quantile(medians, 0.975)];
}

/** A random order, so that no variant always runs after the same neighbour. */
export function shuffled<T>(values: readonly T[]): T[] {
  const result = [...values];
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [result[i], result[j]] = [result[j]!, result[i]!];
  }
  return result;
}
