/** All German texts. English ones are beside the pages that show them. */
export { common } from './common.ts';
export { session } from './session.ts';
export { shell } from './shell.ts';
