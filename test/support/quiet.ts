/**
 * Drops the line that each successful call logs: collecting them for tests that fail costs a tenth of the whole run.
 */
console.info = () => {};
