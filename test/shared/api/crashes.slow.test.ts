/**
 * Crashes functions at each of their AWS calls, before or after it takes effect. The caller retries, asynchronous work
 * continues, and the result must equal a run without crashes. Covers a few operations with many steps; `npm run faults`
 * covers all.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatApi, platformApi } from '#infra/gateway/apis.ts';
import { functionNameOf } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { redirectLog } from '#shared/core/logOutput.ts';
import { isWrite } from '#test/support/callSites.ts';
import { type ConsumerCrashes, crashConsumers, type Death, dieAt } from '#test/support/crashes.ts';
import { invariantFaults } from '#test/support/invariants/index.ts';
import { useModel } from '#test/support/languageModel.ts';
import { isLeftOut, type RawAnswer, settled, type TestBot, usePlatform } from '#test/support/platform.ts';
import { newTenant, send } from '#test/support/repeatedCalls.ts';
import { requestFor } from '#test/support/requests/everyOperation.ts';
import { passAllDeadlines } from '#test/support/time.ts';

usePlatform();
useModel();

const IS_WHOLE = process.env.FAULTS === 'all';
/** Operations that cover each kind of write to records, lists, counts and objects. */
const PART = new Set([
  'chat.createConversation',
  'admin.createPlugin',
  'admin.deleteBot',
  'botChat.initializeIncomingMessage',
  'files.upsertFile',
  'tables.createTableRows',
]);

/** Excluded operations, with the reason. */
const LEFT_OUT: Record<string, string> = {
  callAction: 'The bot has no endpoint.',
  readPublicContent: 'It names no bot, and writes nothing.',
  configureIntegration: 'Only an integration may call it.',
  generateUserKey: 'The installations have no admin secret, and it writes nothing.',
  initializeConversation: 'A stream, which its client opens anew.',
  listenConversation: 'Likewise.',
};

/** Operations that delete their tenant, or whose record has a caller-chosen name. */
const NEEDS_OWN = new Set(['deleteWorkspace', 'getOrCreateConversation']);

const all = ([...chatApi.operations, ...platformApi.operations] as Operation[])
  .filter(({ name }) => !Object.hasOwn(LEFT_OUT, name))
  .map(operation => [`${operation.group}.${operation.name}`, operation] as const);
const chosen = all.filter(([name]) => IS_WHOLE || PART.has(name));

/** Returns true for accepted results of a repeated call. */
const isDone = (operation: Operation, { status }: RawAnswer) =>
  (operation.statuses as readonly number[]).includes(status) ||
  (operation.method === 'DELETE' && [401, 403, 404].includes(status)) ||
  // Without a key, an existing name is rejected.
  [404, 409].includes(status);

/** Minimum number of crash sites of consumers, of about 300. It depends on the batches of the stream. */
const ENOUGH = IS_WHOLE ? 280 : 40;

let consumers: ConsumerCrashes | undefined;
let restoreLog: () => void;
beforeAll(() => {
  restoreLog = redirectLog(() => {});
});
afterAll(async () => {
  await consumers?.stop();
  restoreLog();
});

describe.skipIf(isLeftOut('faults'))('a function that is killed', () => {
  it.each(chosen)(
    'leaves only work that a repeated call completes, during %s',
    { timeout: 600_000 },
    async (_, operation) => {
      let bot = await newTenant();
      const functionName = functionNameOf(operation);
      const run = async (at: number, death: Death) => {
        if (NEEDS_OWN.has(operation.name)) bot = await newTenant();
        const request = await requestFor(bot, operation);
        const key = crypto.randomUUID();
        const first = await dieAt(functionName, { at, death }, () => send(operation, request, key));
        if (first.hasDied) {
          const again = await send(operation, request, key);
          expect(isDone(operation, again), `${at} ${death}: ${again.status} ${JSON.stringify(again.body)}`).toBe(true);
        }
        return first;
      };
      // Calls depend on caches, so this ends with the first invocation without a new crash site.
      let deaths = 0;
      for (let at = 1; ; at++) {
        const { calls, hasDied } = await run(at, 'unsent');
        if (!hasDied) break;
        deaths++;
        if (isWrite(calls.at(-1)!)) await run(at, 'lost');
      }
      await settled();

      expect(deaths).toBeGreaterThanOrEqual(operation.table === 'writes' ? 1 : 0);
    },
  );

  it('leaves only work that a later run completes, during asynchronous work', {
    timeout: IS_WHOLE ? 7_200_000 : 1_200_000,
  }, async () => {
    consumers = crashConsumers();
    const { deaths, recovered } = consumers;
    /** Returns true if asynchronous work reached new crash sites. */
    const leadsOn = async (bot: TestBot, operations: typeof chosen) => {
      const before = deaths.size;
      for (const [, operation] of operations) {
        const own = NEEDS_OWN.has(operation.name) ? await newTenant() : bot;
        const request = await requestFor(own, operation);
        const answer = await send(operation, request, crypto.randomUUID());
        expect(operation.statuses, JSON.stringify(answer.body)).toContain(answer.status);
      }
      await recovered();
      return deaths.size > before;
    };

    // Runs all operations together first, because the stream mixes their changes.
    let rounds = 0;
    while (await leadsOn(await newTenant(), chosen)) {
      rounds++;
      if (IS_WHOLE ? rounds === 3 : deaths.size > ENOUGH) break;
    }
    // Runs each separately while new sites appear.
    for (let left = IS_WHOLE ? chosen : []; left.length > 0; ) {
      const bot = await newTenant();
      const leading: typeof chosen = [];
      for (const each of left) if (await leadsOn(bot, [each])) leading.push(each);
      process.stdout.write(`${deaths.size} places; ${leading.length} operations lead on.\n`);
      left = leading;
    }
    consumers.stop();

    expect(deaths.size).toBeGreaterThan(ENOUGH);
  });

  it('leaves no orphan, duplicate, wrong count or unfinished work', { timeout: 300_000 }, async () => {
    await settled();
    await passAllDeadlines();

    expect(await invariantFaults()).toEqual([]);
  });
});
