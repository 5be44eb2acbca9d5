import { expect, it } from 'vitest';
import { createFairQueue } from '#shared/core/fairQueue.ts';

it('processes tenants round-robin, and each tenant’s items in order', () => {
  const turns = createFairQueue<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) turns.add(item[0]!, item);

  const taken = Array.from({ length: 4 }, () => turns.take());
  turns.add('d', 'd1');

  expect(taken).toEqual(['a1', 'b1', 'c1', 'a2']);
  expect(turns.size).toBe(3);
  expect([turns.take(), turns.take(), turns.take(), turns.take()]).toEqual(['c2', 'a3', 'd1', undefined]);
});
