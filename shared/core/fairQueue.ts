/** Fair queue: processes tenants round-robin, so that no tenant is blocked by another's backlog. */

export interface FairQueue<T> {
  readonly size: number;
  add(tenant: string, item: T): void;
  take(): T | undefined;
}

export function createFairQueue<T>(): FairQueue<T> {
  const waiting = new Map<string, { items: T[]; taken: number }>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    add: (tenant, item) => {
      size++;
      const own = waiting.get(tenant);
      if (own) own.items.push(item);
      else waiting.set(tenant, { items: [item], taken: 0 });
    },
    take: () => {
      const [first] = waiting;
      if (!first) return undefined;
      const [tenant, own] = first;
      const item = own.items[own.taken++]!;
      size--;
      waiting.delete(tenant);
      if (own.taken < own.items.length) waiting.set(tenant, own);
      return item;
    },
  };
}
