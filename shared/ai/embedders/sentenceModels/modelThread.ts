/** Worker thread of `openModelThread.ts`: embeds the text of each message and posts its vector. */
import { parentPort, workerData } from 'node:worker_threads';
import { openSentenceModel, type SentenceModelChoice } from './sentenceModel.ts';

const model = openSentenceModel(workerData as SentenceModelChoice);

parentPort!.on('message', async (text: string) => {
  parentPort!.postMessage(await (await model)(text));
});
