/** `npm run reset`: deletes the data of the local platform. */
import { rm } from 'node:fs/promises';
import { stateDirectory } from './state.ts';

await rm(stateDirectory, { recursive: true, force: true });
process.stdout.write(`Removed ${stateDirectory}.\n`);
