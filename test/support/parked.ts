/** What is parked of a tenant, read from the table. */
import { timeRange } from '#shared/dynamodb/lists.ts';
import { listParkedOf, type Parked } from '#shared/dynamodb/parked.ts';

export async function parkedOf(tenant: string): Promise<Parked[]> {
  const parked: Parked[] = [];
  const range = { direction: 'asc' as const, ...timeRange(undefined, undefined) };
  for await (const { record } of listParkedOf(tenant, range)) parked.push(record);
  return parked;
}
