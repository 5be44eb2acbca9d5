/**
 * Tests throttling, failures and disconnections of AWS: callers receive a result, a 429 or a 503 with `Retry-After`,
 * and the data is consistent after recovery. Covers a part of the operations; `npm run faults` covers all at several
 * rates.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatApi, platformApi } from '#infra/gateway/apis.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { redirectLog } from '#shared/core/logOutput.ts';
import { invariantFaults } from '#test/support/invariants/index.ts';
import { useModel } from '#test/support/languageModel.ts';
import { isLeftOut, type RawAnswer, settled, type TestBot, usePlatform } from '#test/support/platform.ts';
import { newTenant, send } from '#test/support/repeatedCalls.ts';
import { requestFor } from '#test/support/requests/everyOperation.ts';
import { injectServiceFaults, type ServiceFaults } from '#test/support/serviceFaults.ts';
import { passAllDeadlines } from '#test/support/time.ts';

usePlatform();
useModel();

const IS_WHOLE = process.env.FAULTS === 'all';
const SHARES = IS_WHOLE ? [0.05, 0.15, 0.3] : [0.3];
/** Fraction of operations that is called. */
const EACH = IS_WHOLE ? 1 : 6;
const AT_ONCE = 6;

/** Excluded operations, with the reason. */
const LEFT_OUT: Record<string, string> = {
  callAction: 'The bot has no endpoint.',
  readPublicContent: 'It names no bot.',
  configureIntegration: 'Only an integration may call it.',
  generateUserKey: 'The installations have no admin secret.',
  initializeConversation: 'A stream, which its client opens anew.',
  listenConversation: 'Likewise.',
  deleteWorkspace: 'The tenant would end.',
  getOrCreateConversation: 'Its request names a conversation, which another user may have.',
};
const operations = ([...chatApi.operations, ...platformApi.operations] as Operation[])
  .filter(({ name }) => !Object.hasOwn(LEFT_OUT, name))
  .filter((_, i) => i % EACH === 0);

/** Operations that conflict with others on the same bot or workspace. */
const NEEDS_OWN = new Set(['exportWorkspace', 'getIntegrationShareableId']);

let restoreLog: () => void;
let faults: ServiceFaults;
let bot: TestBot;
beforeAll(async () => {
  restoreLog = redirectLog(() => {});
  faults = injectServiceFaults();
  bot = await newTenant();
});
afterAll(() => {
  faults.stop();
  restoreLog();
});

const isAway = ({ status }: RawAnswer) => status === 429 || status === 503;
const ATTEMPTS = 12;

describe.skipIf(isLeftOut('faults'))('while the services of AWS fail', () => {
  it.each(SHARES)(
    'returns a result or Retry-After to every caller when a share of %d of the calls fails',
    {
      timeout: 900_000,
    },
    async share => {
      const strange: string[] = [];
      // Creates the requests' prerequisites.
      const ready = await mapConcurrently(operations, AT_ONCE, async operation => ({
        operation,
        request: await requestFor(NEEDS_OWN.has(operation.name) ? await newTenant() : bot, operation),
      }));
      faults.setShare(share);
      await mapConcurrently(ready, AT_ONCE, async ({ operation, request }) => {
        const key = crypto.randomUUID();
        for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
          faults.setShare(share);
          const answer = await send(operation, request, key);
          if (isAway(answer)) {
            if (!answer.headers.get('retry-after')) strange.push(`${operation.name}: no Retry-After`);
            continue;
          }
          const isExpected =
            (operation.statuses as readonly number[]).includes(answer.status) ||
            // An earlier attempt succeeded, and its response was lost.
            (attempt > 1 && [404, 409].includes(answer.status));
          if (!isExpected) strange.push(`${operation.name}: ${answer.status} ${JSON.stringify(answer.body)}`);
          return;
        }
        strange.push(`${operation.name}: away ${ATTEMPTS} times`);
      });
      faults.setShare(0);

      expect(strange).toEqual([]);
      expect(Object.keys(faults.counts).length).toBeGreaterThan(5);
    },
  );

  it('leaves no orphan, duplicate, wrong count or unfinished work', { timeout: 300_000 }, async () => {
    await settled();
    // Redrives dead letters, as an operator would.
    const redriven = await bot.workspace.call('POST', `/bots/${bot.id}/parked/redrive`, { body: {} });
    expect(redriven.status, JSON.stringify(redriven.body)).toBe(200);
    await settled();
    await passAllDeadlines();

    expect(await invariantFaults()).toEqual([]);
  });
});
