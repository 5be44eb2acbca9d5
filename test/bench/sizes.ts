/** Section `sizes`: the code that a function loads at its start. */
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as consumers from '#functions/events/index.ts';
import { REFERENCE_SCRIPT } from '#infra/gateway/apis.ts';
import { references } from '#infra/gateway/referenceDocument.ts';
import type { Consumer } from '#shared/events/consumers/consumer.ts';
import { bundles } from './bundles.ts';
import { type Section, times, verdict } from './report.ts';
import type { Services } from './services.ts';

/** For a bundle without the S3 client. */
const BUDGET_KB = 260;

/** They hold a finished text, which a page of the reference loads once, and hardly any code. */
const texts = new Set([...references.map(({ functionName }) => functionName), REFERENCE_SCRIPT]);

/** Consumers that use the object store on every run contain its client. */
const withS3 = new Set(Object.values<Consumer>(consumers).flatMap(({ name, objects }) => (objects ? [name] : [])));

export async function measure({ directory }: Services): Promise<Section> {
  const { bare, bareTuned, ours } = await bundles(directory);
  const bareKb = await sizeKb(bare);

  const floor = async (name: string, file: string) => {
    const kb = await sizeKb(file);
    return [name, kb.toFixed(1), times(kb / bareKb), '', '', ''];
  };
  const own = async ([name, file]: [string, string]) => {
    const kb = await sizeKb(file);
    const objectsKb = await sizeKb(join(dirname(file), 'objects.js')).catch(() => undefined);
    return [
      name,
      kb.toFixed(1),
      times(kb / bareKb),
      objectsKb?.toFixed(1) ?? '',
      ...(texts.has(name)
        ? ['none, is a text', '']
        : withS3.has(name)
          ? ['none, has S3', '']
          : [`≤ ${BUDGET_KB}`, verdict(kb <= BUDGET_KB)]),
    ];
  };

  return {
    title: 'Bundle sizes',
    measures: 'The code that a function loads at its start, minified, in KB of 1,000 bytes.',
    columns: ['bundle', 'KB', '× bare', 'objects.js, KB', 'budget without S3, KB', ''],
    rows: await Promise.all([floor('bare', bare), floor('bare, tuned', bareTuned), ...[...ours].map(own)]),
    notes: [
      '`objects.js` lies beside a function and loads only for a value too large for the table; it has no budget.',
    ],
  };
}

const sizeKb = async (file: string) => (await stat(file)).size / 1000;
