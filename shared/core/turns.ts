/** Turns: what waits for each of many tenants is taken one by one, so that nobody waits for another's backlog. */

export interface Turns<T> {
  /** How much waits, of all tenants. */
  readonly size: number;
  add(tenant: string, item: T): void;
  /** The next item, of the tenant whose turn it is; undefined when nothing waits. */
  take(): T | undefined;
}

export function takeTurns<T>(): Turns<T> {
  /** In the order of their turns. */
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
