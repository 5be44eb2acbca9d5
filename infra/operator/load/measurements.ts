interface Operation {
  tookMs: number[];
  failures: Map<string, number>;
}

export interface OperationReport {
  operation: string;
  calls: number;
  failed: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

export class Measurements {
  readonly #operations = new Map<string, Operation>();
  #calls = 0;
  #failures = 0;
  repeated = 0;

  get calls(): number {
    return this.#calls;
  }
  get failures(): number {
    return this.#failures;
  }

  took(operation: string, ms: number): void {
    this.#calls++;
    this.#of(operation).tookMs.push(ms);
  }

  failed(operation: string, reason: string): void {
    this.#failures++;
    const { failures } = this.#of(operation);
    failures.set(reason, (failures.get(reason) ?? 0) + 1);
  }

  /** Returns a report per operation, most calls first. */
  report(): OperationReport[] {
    return [...this.#operations]
      .map(([operation, { tookMs, failures }]) => {
        const sorted = tookMs.toSorted((a, b) => a - b);
        return {
          operation,
          calls: tookMs.length,
          failed: [...failures.values()].reduce((total, count) => total + count, 0),
          p50: percentile(sorted, 0.5),
          p95: percentile(sorted, 0.95),
          p99: percentile(sorted, 0.99),
          max: sorted.at(-1) ?? 0,
        };
      })
      .sort((a, b) => b.calls - a.calls);
  }

  /** Formats failures, such as `createMessage: 503 (2)`. */
  reasons(): string[] {
    return [...this.#operations].flatMap(([operation, { failures }]) =>
      [...failures].map(([reason, count]) => `${operation}: ${reason} (${count})`),
    );
  }

  #of(name: string): Operation {
    const operation = this.#operations.get(name) ?? { tookMs: [], failures: new Map() };
    this.#operations.set(name, operation);
    return operation;
  }
}

/** Returns the nearest-rank percentile. @param sorted ascending */
export const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0;
