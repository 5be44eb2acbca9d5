/** Section `code`: a bundle written with the SDK, deployed as code, against the same bundle behind HTTP. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { bundleDeployedBot } from '#infra/local/deployedBot.ts';
import { startLambda } from '#infra/local/services/lambda.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { callCode } from '#shared/outbound/code/callCode.ts';
import { zipOf } from '#shared/outbound/code/package.ts';
import { callEndpoint } from '#shared/outbound/endpoints/callEndpoint.ts';
import { createFunction } from '#shared/outbound/lambda/functions.ts';
import { measureStorms } from './codeStorms.ts';
import type { Section } from './report.ts';
import type { Services } from './services.ts';
import { median } from './statistics.ts';

const CALLS = 200;
const BOTS = Number(process.env.BENCH_BOTS ?? 50);
const BUDGET_MS = 5;
const MEGABYTE = 1024 * 1024;

const PING = {
  headers: { 'x-bot-id': 'bot', 'x-bp-operation': 'ping', 'x-bp-type': 'ping', 'x-bp-configuration': 'e30=' },
  body: '{}',
};

export async function measure({ directory }: Services): Promise<Section> {
  Object.assign(process.env, {
    [VARIABLES.sealingKey]: 'bench',
    [VARIABLES.codeRoleArn]: 'role',
    [VARIABLES.privateEndpoints]: 'true',
  });
  const lambda = await startLambda(join(directory, 'functions'));
  process.env.AWS_ENDPOINT_URL_LAMBDA = lambda.endpoint;
  const bundle = await bundleDeployedBot();
  const code = zipOf(Buffer.from(bundle));
  const before = usedBytes();
  for (let i = 0; i < BOTS; i++) {
    const name = `bot-${i}`;
    await createFunction({
      name,
      description: name,
      zip: code,
      variables: {},
      tags: {},
      memoryMb: 512,
      timeoutSeconds: 60,
      concurrency: undefined,
    });
  }
  const idleMb = (usedBytes() - before) / MEGABYTE;
  const endpoint = await startEndpoint(directory, bundle);
  try {
    const callIt = (i: number) =>
      callCode({ kind: 'bot', id: `bot-${i}` }, { functionName: `bot-${i}`, timeoutSeconds: 60 }, PING);
    const first: number[] = [];
    for (let i = 0; i < BOTS; i++) first.push(await timed(() => callIt(i)));
    const [asCode, byHttp]: [number[], number[]] = [[], []];
    // Alternates, so that both run under the same conditions.
    for (let i = 0; i < CALLS; i++) {
      asCode.push(await timed(() => callIt(BOTS - 1)));
      byHttp.push(await timed(() => callEndpoint(endpoint.url, { ...PING, timeoutMs: 60_000 })));
    }
    const more = median(asCode) - median(byHttp);
    const storms = await measureStorms(() => callIt(BOTS - 1));
    return {
      title: 'Deployed code',
      measures: `A bundle of ${(bundle.length / 1024).toFixed(0)} KB with the SDK answers a ping: deployed as code on this machine, and behind an HTTP server.`,
      columns: ['', 'ms at the median', 'aim'],
      rows: [
        [`first answer of each of ${BOTS} bots, a process started`, median(first).toFixed(0), ''],
        ['warm, deployed as code', median(asCode).toFixed(1), ''],
        ['warm, behind HTTP', median(byHttp).toFixed(1), ''],
        ['deployed as code takes more by', more.toFixed(1), `≤ ${BUDGET_MS}`],
        [`heap and buffers of ${BOTS} idle bots, which have no process, MB`, idleMb.toFixed(0), '≤ 50'],
        ...storms.map(([name, peace, during, ratio]) => [
          `p95 in peace, while ${name}, ratio`,
          `${peace}, ${during}, ${ratio}`,
          '',
        ]),
      ],
    };
  } finally {
    endpoint.stop();
    await lambda.stop();
  }
}

/** Returns the size of heap and buffers after garbage collection. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function timed(work: () => Promise<{ kind: string }>): Promise<number> {
  const startMs = performance.now();
  const { kind } = await work();
  if (kind !== 'answered') throw new Error(`The bot did not answer: ${kind}.`);
  return performance.now() - startMs;
}

/** The same bundle in this process, behind Node's server. */
async function startEndpoint(directory: string, bundle: string) {
  const file = join(directory, 'bundle.cjs');
  await writeFile(file, bundle);
  const { handler } = createRequire(import.meta.url)(file);
  const server = createServer(async (request, response) => {
    const { status = 200, body = '' } =
      (await handler({
        method: request.method,
        path: '/',
        query: '',
        headers: request.headers,
        body: await text(request),
      })) ?? {};
    response.writeHead(status).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
