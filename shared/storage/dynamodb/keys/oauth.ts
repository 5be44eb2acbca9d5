/**
 * Keys of OAuth round trips.
 *
 * | access pattern            | index | pk           | sk    |
 * |---------------------------|-------|--------------|-------|
 * | round trip by its `state` | table | oauth#<hash> | state |
 */
import { hashText } from '#shared/core/ids.ts';
import type { Key, Partitions } from './table.ts';

const OAUTH = 'oauth#';

export const oauthPartitions = { oauthStates: [`${OAUTH}*`] } as const satisfies Partitions;

/** Contains a hash, so that read access to the table does not permit completing a round trip. */
export const oauthStateKey = (state: string): Key => ({ pk: `${OAUTH}${hashText('oauth state', state)}`, sk: 'state' });
