/** DynamoDB calls that the budgets of several operations contain. */

/** A page of a list of a bot: one call reads the list's entries, one their records. */
export const BOT_LIST = 2;

/** Resolves an uncached name, then reads the table with its counts. */
export const TABLE_BY_NAME = 2;

/** A stream acquires leases of the address, bot, user and conversation concurrently. */
export const LEASES = 4;
