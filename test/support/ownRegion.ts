import { randomUUID } from 'node:crypto';

/**
 * A region that no other test uses, and with it a database of its own: DynamoDB Local keeps one per region. Within a
 * database, each call searches the stream records of all tables, including deleted ones, so tests slow down with
 * everything written before.
 */
export const ownRegion = () => `test-${randomUUID()}`;
