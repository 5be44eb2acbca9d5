/** The thread of `openModelThread.ts`: receives texts one at a time, and sends a vector for each. */
import { parentPort, workerData } from 'node:worker_threads';
import { openSentenceModel, type SentenceModelChoice } from './sentenceModel.ts';

const model = openSentenceModel(workerData as SentenceModelChoice);

parentPort!.on('message', async (text: string) => {
  parentPort!.postMessage(await (await model)(text));
});
