import { parentPort } from 'node:worker_threads';
import { joinSpelling } from './jointVector.ts';
import { openTextEmbedder } from './textEmbedder.ts';

const embed = openTextEmbedder();

parentPort!.on('message', (text: string) => {
  const meaning = embed(text);
  parentPort!.postMessage(meaning && joinSpelling(meaning, text));
});
