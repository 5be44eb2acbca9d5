import { expect } from 'vitest';
import { referenceOf } from '#infra/gateway/reference/operationReferences.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import type { Count } from './counter.ts';

/** Compares the cost of a warm call with the budget of its operation. @param extraCalls of authentication */
export function expectWithinBudget(operation: Pick<Operation, 'group' | 'name'>, count: Count, extraCalls = 0): void {
  const { budget } = referenceOf(operation);
  const { calls, readUnits = Number.POSITIVE_INFINITY, writeUnits = Number.POSITIVE_INFINITY } = budget;

  expect(count.calls).toBeLessThanOrEqual(calls + extraCalls);
  expect(count.readUnits).toBeLessThanOrEqual(readUnits);
  expect(count.writeUnits).toBeLessThanOrEqual(writeUnits);
  expect(count.peak).toBeGreaterThanOrEqual(budget.parallel ?? Math.min(calls, 1));
}
