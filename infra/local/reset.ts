/** `npm run reset`: forgets everything a local platform has kept. */
import { rm } from 'node:fs/promises';
import { stateDirectory } from './state.ts';

await rm(stateDirectory, { recursive: true, force: true });
process.stdout.write(`Removed ${stateDirectory}.\n`);
