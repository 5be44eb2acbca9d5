import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FullTenant } from '#test/support/fullTenant.ts';
import { requestJson } from '#test/support/requestJson.ts';
import { type FuzzRun, runSchemathesis } from './schemathesis.ts';
import { LEAVING, LEFT_OUT, type OpenApi, operationIdsOf, settingsOf } from './settings.ts';

/** Random requests per operation: in the first round, which mostly reads the schemas, and in later ones. */
const EXAMPLES = { first: 5, later: 50 };
/** Requests that cover the limits of an operation's schemas on average. */
const COVERAGE = 70;

type Name = 'platform' | 'cognitive' | 'chat' | 'leaver';

const NAMES: readonly Name[] = ['platform', 'cognitive', 'chat', 'leaver'];

export async function fuzzTenant(
  {
    python,
    directory,
    tenant,
    documentUrl,
  }: { python: string; directory: string; tenant: FullTenant; documentUrl: string },
  { wanted, seed, sent, say }: { wanted: number; seed: number; sent: () => number; say: (text: string) => void },
  signal: AbortSignal,
): Promise<string[]> {
  const urls = {
    platform: documentUrl,
    cognitive: documentUrl,
    chat: `${tenant.chatUrl}/openapi.json`,
    leaver: `${tenant.chatUrl}/openapi.json`,
  };
  const operations: Record<Name, string[]> = { platform: [], cognitive: [], chat: [], leaver: [LEAVING] };
  const settings = {} as Record<Name, string>;
  const headers = { ...tenant.headers, cognitive: tenant.headers.platform };
  const bases = {} as Record<Name, string>;
  for (const name of NAMES) {
    const document: OpenApi = await requestJson('GET', urls[name], { headers: {} });
    settings[name] = join(directory, `${name}.toml`);
    await writeFile(settings[name], settingsOf(document, tenant));
    bases[name] = new URL(name === 'cognitive' ? '../v2/' : './', urls[name]).href;
    if (name === 'leaver') continue;
    const ids = operationIdsOf(document, path => path.startsWith('/cognitive/') === (name === 'cognitive'));
    operations[name] = ids.filter(id => id !== LEAVING && !Object.hasOwn(LEFT_OUT, id));
  }
  const run = (name: Name, phase: 'fuzzing' | 'coverage', options: Pick<FuzzRun, 'operations' | 'examples' | 'seed'>) =>
    runSchemathesis(
      {
        python,
        directory,
        name: `${name}-${phase}-${options.seed}`,
        documentUrl: urls[name],
        baseUrl: bases[name],
        settings: settings[name],
        headers: headers[name],
        phase,
        ...options,
      },
      signal,
    );

  const all = operations.platform.length + operations.cognitive.length + operations.chat.length;
  const slices = Math.max(1, Math.floor((all * COVERAGE) / Math.max(1, wanted - all * EXAMPLES.first)));
  const sliceOf = (ids: string[], slice: number) => ids.filter((_, i) => i % slices === slice % slices);
  const random = (name: Name, examples: number, seed: number) =>
    run(name, 'fuzzing', { operations: operations[name], examples, seed });
  const cover = async (slice: number) => {
    const own = { platform: sliceOf(operations.platform, slice), chat: sliceOf(operations.chat, slice) };
    say(`Requests at the limits of the schemas of ${own.platform.length + own.chat.length} of ${all} operations.`);
    const options = { examples: 1, seed: slice };
    return [
      await run('chat', 'coverage', { operations: own.chat, ...options }),
      await run('platform', 'coverage', { operations: own.platform, ...options }),
      await run('cognitive', 'coverage', { operations: sliceOf(operations.cognitive, slice), ...options }),
    ];
  };
  const found: (string | undefined)[] = [];
  if (slices > 1) say(`These are so few requests that the operations take ${slices} turns: --seed says whose it is.`);
  // Two processes, because Schemathesis is slower than the platform.
  const orderFairly = async () => [
    await random('chat', EXAMPLES.first, seed),
    await random('cognitive', EXAMPLES.first, seed),
    ...(await cover(seed)),
  ];
  found.push(...(await Promise.all([random('platform', EXAMPLES.first, seed), orderFairly()])).flat());
  for (let next = seed + 1; sent() < wanted && !found.some(Boolean); next++) {
    const more =
      next - seed < slices
        ? await cover(next)
        : await Promise.all([random('platform', EXAMPLES.later, next), random('chat', EXAMPLES.later, next)]);
    found.push(...more);
    say(`${sent()} requests so far.`);
  }
  // Includes earlier findings, which may explain the failure.
  found.push(await requireAlive(tenant, documentUrl).then(() => undefined, String));
  found.push(await random('leaver', EXAMPLES.later, seed));
  return found.filter(each => each !== undefined);
}

/** Fails if the run deleted its own tenant, because it would find nothing afterwards. */
async function requireAlive({ headers, ids, chatUrl }: FullTenant, documentUrl: string): Promise<void> {
  const api = documentUrl.replace('/openapi.json', '');
  await requestJson('GET', `${api}/admin/bots/${ids.bots![0]}`, { headers: headers.platform });
  await requestJson('GET', `${chatUrl}/users/me`, { headers: headers.chat });
}
