import { join, resolve } from 'node:path';

/** Models that `npm run model` downloads. */
export const modelsDirectory = join(resolve(process.env.PARLEY_DIR ?? '.parley'), 'models');
