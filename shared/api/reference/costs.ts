/** DynamoDB calls that the budgets of several operations contain. */

/** A page of a bot's list: one call reads the entries, one reads their records. */
export const BOT_LIST = 2;

/** Resolves an uncached name, then reads the table with its counts. */
export const TABLE_BY_NAME = 2;

/** A stream acquires leases of the address, bot, user and conversation concurrently. */
export const LEASES = 4;
