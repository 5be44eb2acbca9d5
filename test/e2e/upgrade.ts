/**
 * `npm run test:deploy -- upgrade <commit>` runs this twice. `before` runs with a deployment of the commit and records
 * all reads of a tenant with data. `after` runs once the current version is deployed over it: it compares the reads and
 * changes all data.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { FullTenant } from '#test/support/fullTenant.ts';
import { requestJson } from '#test/support/requestJson.ts';
import { changeAll, type Read, readAll } from '#test/support/tenantReads.ts';

const [phase, file] = process.argv.slice(2) as ['before' | 'after', string];
type Bases = Parameters<typeof readAll>[1];
const bases: Bases = JSON.parse(process.env.PARLEY_TARGET!);
const say = (text: string) => process.stdout.write(`${text}\n`);

interface Noted {
  tenant: FullTenant;
  /** Base URLs before the update. */
  bases?: Bases;
  answers?: { read: Read; answer: unknown }[];
}
const noted: Noted = JSON.parse(atNewAddresses(readFileSync(file, 'utf8')));
const tenants = [noted.tenant];

/** The emulator gives an API a new id when its document changes. AWS keeps the id. */
function atNewAddresses(text: string): string {
  const { bases: former }: Noted = JSON.parse(text);
  if (!former) return text;
  const idOf = (base: string) => /\/restapis\/(\w+)\//.exec(base)![1]!;
  return text
    .replaceAll(idOf(former.apiBaseUrl), idOf(bases.apiBaseUrl))
    .replaceAll(idOf(former.chatBaseUrl), idOf(bases.chatBaseUrl));
}

const REST_MS = 3_000;
const ROUNDS = 40;

/** Retries, because asynchronous work such as indexing changes reads for a while. */
async function readAtRest() {
  let former = await readAll(tenants, bases);
  for (let round = 0; round < ROUNDS; round++) {
    await sleep(REST_MS);
    const answers = await readAll(tenants, bases);
    if (isDeepStrictEqual(answers, former)) return answers;
    former = answers;
  }
  throw new Error("The tenant's reads do not become stable.");
}

if (phase === 'before') {
  const answers = await readAtRest();
  assert.ok(answers.length > 50, `Only ${answers.length} operations read something.`);
  writeFileSync(file, JSON.stringify({ tenant: noted.tenant, bases, answers } satisfies Noted));
  say(`Recorded ${answers.length} responses.`);
} else {
  const now = new Map((await readAtRest()).map(({ read, answer }) => [`${read.as} ${read.path}`, answer]));
  for (const { read, answer } of noted.answers!) {
    const name = `${read.as} ${read.path}`;
    assert.ok(now.has(name), `${name} is not answered any more.`);
    // A later version may return additional fields.
    assert.partialDeepStrictEqual(now.get(name), answer, name);
  }
  await changeAll(noted.tenant, bases);
  await readAtRest();
  const { headers, ids } = noted.tenant;
  const url = `${bases.apiBaseUrl}/v1/admin/bots/${ids.bots![0]}/parked`;
  const { parked } = await requestJson('GET', url, { headers: headers.platform });
  assert.deepEqual(parked, []);
  say(`${noted.answers!.length} responses are unchanged.`);
}
