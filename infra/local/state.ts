import { join, resolve } from 'node:path';

export const stateDirectory = resolve(process.env.PARLEY_DIR ?? '.parley');

export const localLogFile = () => join(stateDirectory, 'parley.log');

export const streamFile = (directory: string) => join(directory, 'stream.json');

/** Functions of deployed code, each in a directory of its name. */
export const functionsDirectory = (directory: string) => join(directory, 'functions');
