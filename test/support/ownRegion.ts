import { randomUUID } from 'node:crypto';

/**
 * A region nobody else uses, and with it a database of one's own: DynamoDB Local keeps one for each region. Within a database each call
 * searches the stream records of all tables that were there before, so that tests became slow with all that others had written.
 */
export const ownRegion = () => `test-${randomUUID()}`;
