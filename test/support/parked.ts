/** What is parked of a tenant, read from the table. */
import { listParkedOf, type Parked } from '#shared/dynamodb/parked.ts';

export async function parkedOf(tenant: string): Promise<Parked[]> {
  const parked: Parked[] = [];
  for await (const { record } of listParkedOf(tenant)) parked.push(record);
  return parked;
}
