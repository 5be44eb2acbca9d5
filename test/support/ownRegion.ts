import { randomUUID } from 'node:crypto';

/**
 * A region of one's own, and with it a database: DynamoDB Local keeps one per region. Within a database, each call searches the
 * stream records of all earlier tables, which slows tests down with everything that others have written.
 */
export const ownRegion = () => `test-${randomUUID()}`;
