import { join, resolve } from 'node:path';

/** Holds a local platform's data, log and `local.json`. */
export const stateDirectory = resolve(process.env.PARLEY_DIR ?? '.parley');

/** What all functions log, as JSON lines. */
export const localLogFile = () => join(stateDirectory, 'parley.log');

/** The position in the table's stream. */
export const streamFile = (directory: string) => join(directory, 'stream.json');

/** The functions of deployed code, each in a directory of its name. */
export const functionsDirectory = (directory: string) => join(directory, 'functions');
