/** The platform asks `shared/clock.ts` for the time, and tests move that clock instead of waiting. Reads the source. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

const READS_TIME = /\bDate\.now\(\)|\bnew Date\(\)/;
const WAITS = /\bset(Timeout|Interval)\(|\bAbortSignal\.timeout\(|from 'node:timers\/promises'/;
/** Not the clock: it only lets other work go first. */
const YIELDS = /^import \{ setImmediate as \w+ \} from 'node:timers\/promises';$/m;

const filesOf = (patterns: string[], isMatch: RegExp) =>
  globSync(patterns, { cwd: ROOT, exclude: ['test/{bench,e2e,console}/**', '**/*.slow.test.ts'] })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => isMatch.test(readFileSync(join(ROOT, file), 'utf8').replace(YIELDS, '')))
    .sort();

/** What goes by the time of the world outside of the process. */
const REAL_TIME: Record<string, string> = {
  'infra/local/demo.ts': 'A person watches.',
  'infra/local/echoBot.ts': 'A person watches.',
  'infra/local/logFile.ts': 'A person reads the file.',
  'infra/local/services/childProcess.ts': 'A process takes its time to start and to end.',
  'infra/local/services/gateway/refusals.ts': 'A socket is given time to drain.',
  'infra/local/services/lambda.ts': 'An idle process ends.',
  'infra/local/services/lambda/worker.ts': 'The kernel counts what a process of deployed code uses.',
  'infra/local/services/s3.ts': 'Other processes wait for its notifications.',
  'infra/local/services/s3Events.ts': 'Goes by the times of another object store.',
  'infra/local/services/tunnel.ts': 'Another machine answers.',
  'shared/canary/chatWithBot.ts': 'The time of a request over the network.',
  'shared/clock.ts': 'Is the clock.',
  'shared/code/host.ts': 'Runs with deployed code, apart from the platform.',
  'shared/cognitive/generate.ts': 'A language model answers over the network.',
  'shared/extraction/readPassages.ts': 'A process reads a file within a time.',
  'shared/tables/compute/sandbox.ts': 'A process computes within a time.',
};

const SIMULATED: Record<string, string> = {
  'test/functions/events/talkToCanary.test.ts': 'Moves the clock on while the canary waits.',
  'test/shared/ai/bedrockConversation.test.ts': 'A caller gives up.',
  'test/shared/api/auth/strangers.test.ts': 'Ends streams that would stay open.',
  'test/shared/code/callCode.test.ts': 'Deployed code is slow.',
  'test/shared/code/rollOut.test.ts': 'Deployed code is slow.',
  'test/shared/delivery/heldConversations.test.ts': 'An endpoint is slow.',
  'test/shared/tables/changes/publishRowEvents.test.ts': 'An endpoint is slow, now and then.',
  'test/shared/tables/jobs/import/importJob.test.ts': 'Samples the memory in use.',
};

describe('the time', () => {
  it('is asked of the clock', () => {
    const files = filesOf(['{shared,functions}/**/*.ts', 'infra/{local,gateway}/**/*.ts'], READS_TIME);

    expect(files.filter(file => !(file in REAL_TIME))).toEqual([]);
  });

  it('is waited for with the clock', () => {
    const files = filesOf(['{shared,functions}/**/*.ts', 'infra/{local,gateway}/**/*.ts'], WAITS);

    expect(files.filter(file => !(file in REAL_TIME))).toEqual([]);
  });

  it('is waited for by no test: it moves the clock, or waits for what it expects', () => {
    const files = filesOf(['test/**/*.test.ts'], new RegExp(`${WAITS.source}|${READS_TIME.source}`));

    expect(files.filter(file => !(file in SIMULATED) && file !== 'test/infra/time.test.ts')).toEqual([]);
  });

  it('has no exception that is not needed', () => {
    const needed = filesOf(
      ['{shared,functions}/**/*.ts', 'infra/{local,gateway}/**/*.ts', 'test/**/*.test.ts'],
      new RegExp(`${WAITS.source}|${READS_TIME.source}`),
    );

    expect(Object.keys({ ...REAL_TIME, ...SIMULATED }).filter(file => !needed.includes(file))).toEqual([]);
  });
});
