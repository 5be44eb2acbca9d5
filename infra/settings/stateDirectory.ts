import { join, resolve } from 'node:path';

export const stateDirectory = resolve(process.env.PARLEY_DIR ?? '.parley');

export const modelsDirectory = join(stateDirectory, 'models');

export const localLogFile = () => join(stateDirectory, 'parley.log');

export const streamFile = (directory: string) => join(directory, 'stream.json');

export const functionsDirectory = (directory: string) => join(directory, 'functions');
