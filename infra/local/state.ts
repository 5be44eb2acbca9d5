import { resolve } from 'node:path';

/** Where a local platform keeps its data and its `local.json`. */
export const stateDirectory = resolve(process.env.PARLEY_DIR ?? '.parley');
