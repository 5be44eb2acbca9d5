/** The function of the package `uuid` that the tests of `@botpress/chat` import without a declared dependency. */
export { randomUUID as v4 } from 'node:crypto';
