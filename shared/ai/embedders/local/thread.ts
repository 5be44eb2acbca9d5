/** The thread that holds the model (see `local.ts`): one text at a time, one answer to each. */
import { parentPort } from 'node:worker_threads';
import { openTextEmbedder } from './textEmbedder.ts';

const embed = openTextEmbedder();
parentPort!.on('message', (text: string) => parentPort!.postMessage(embed(text)));
