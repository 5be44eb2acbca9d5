/** What follows when a job was written: it is worked on. */
import { positionOf, splitPk } from '../../table/keys.ts';
import type { Change } from '../../table/streamChange.ts';
import { sendJob } from '../jobs/sendJob.ts';

export async function followJob({ event, pk, sk }: Change): Promise<void> {
  if (event !== 'INSERT') return;
  const { botId, id } = splitPk(pk);
  await sendJob({ botId, tableId: id, position: positionOf(sk), steps: 0 });
}
