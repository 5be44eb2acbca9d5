import { randomUUID } from 'node:crypto';

/**
 * Uses a unique region, and therefore a separate database of DynamoDB Local. Each call searches the stream records of
 * all tables of a database, including deleted ones, so tests slow down with every write.
 */
export const ownRegion = () => `test-${randomUUID()}`;
