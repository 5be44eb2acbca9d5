/** Drops the log line of each successful call. Collecting them for failing tests costs a tenth of the run. */
console.info = () => {};
