/** Checks in the source that the platform uses `shared/core/clock.ts`, and that tests advance it instead of waiting. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

const PLATFORM = ['{shared,functions}/**/*.ts', 'infra/{local,gateway}/**/*.ts'];

const READS_TIME = /\bDate\.now\(\)|\bnew Date\(\)/;
const WAITS = /\bset(Timeout|Interval)\(|\bAbortSignal\.timeout\(|from 'node:timers\/promises'/;
const USES_TIME = new RegExp(`${WAITS.source}|${READS_TIME.source}`);
const YIELDS = /^import \{ setImmediate as \w+ \} from 'node:timers\/promises';$/m;

const filesOf = (patterns: string[], isMatch: RegExp) =>
  globSync(patterns, { cwd: ROOT, exclude: ['test/{bench,e2e,console,widget}/**', '**/*.slow.test.ts'] })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => isMatch.test(readFileSync(join(ROOT, file), 'utf8').replace(YIELDS, '')))
    .sort();

/** Files that use real time, with the reason. */
const REAL_TIME: Record<string, string> = {
  'infra/local/demo.ts': 'Runs at the pace of a person.',
  'infra/local/echoBot.ts': 'Runs at the pace of a person.',
  'infra/local/logFile.ts': 'A log for the operator.',
  'infra/local/runtime/childProcess.ts': 'Starts and stops processes.',
  'infra/local/services/gateway/rejections.ts': 'Drains a socket.',
  'infra/local/services/lambda/workerPool.ts': 'Stops idle processes.',
  'infra/local/services/lambda/lambdaWorker.ts': 'Measures processes of deployed code.',
  'infra/local/services/s3.ts': 'Serves long polls of other processes.',
  'infra/local/services/s3Events.ts': 'Compares timestamps of an external object store.',
  'shared/events/canary/chatWithBot.ts': 'Limits a network request.',
  'shared/core/clock.ts': 'Implements the clock.',
  'shared/domain/cognitive/generateText.ts': 'Limits a network request.',
  'shared/domain/cognitive/inlineImages.ts': 'Limits network requests.',
  'shared/ai/extraction/readPassages.ts': 'Limits a child process.',
  'shared/domain/tables/compute/promptModel.ts': 'Limits a network request.',
  'shared/domain/tables/reading/matchRows.ts': 'Gives other requests their turns.',
  'shared/core/taskThread.ts': 'Limits a worker thread.',
};

/** Tests with a timer, with the reason. */
const SIMULATED: Record<string, string> = {
  'test/functions/events/talkToCanary.test.ts': 'Advances the clock while the canary polls.',
  'test/shared/ai/bedrockConversation.test.ts': 'Aborts a request.',
  'test/shared/ai/embedders/local/localEmbedder.test.ts': 'Samples memory usage and the event loop of a process.',
  'test/shared/api/auth/strangers.test.ts': 'Closes streams.',
  'test/shared/outbound/code/callCode.test.ts': 'Runs slow deployed code.',
  'test/shared/outbound/code/hostileCode.test.ts': 'Runs deployed code with timers.',
  'test/shared/outbound/code/rollOut.test.ts': 'Runs slow deployed code.',
  'test/shared/outbound/code/sourceMaps.test.ts': 'Runs deployed code with timers.',
  'test/shared/events/delivery/pausedConversations.test.ts': 'Simulates a slow endpoint.',
  'test/shared/events/reactions/publishRowEvents.test.ts': 'Simulates a slow endpoint.',
  'test/shared/domain/tables/jobs/import/importJob.test.ts': 'Samples memory usage.',
};

describe('the clock', () => {
  it('is the only source of the current time', () => {
    const files = filesOf(PLATFORM, READS_TIME);

    expect(files.filter(file => !(file in REAL_TIME))).toEqual([]);
  });

  it('is the only source of timers', () => {
    const files = filesOf(PLATFORM, WAITS);

    expect(files.filter(file => !(file in REAL_TIME))).toEqual([]);
  });

  it('is advanced by tests, which never wait for real time', () => {
    const files = filesOf(['test/**/*.test.ts'], USES_TIME);

    expect(files.filter(file => !(file in SIMULATED) && file !== 'test/infra/time.test.ts')).toEqual([]);
  });

  it('has no unused exception', () => {
    const needed = filesOf([...PLATFORM, 'test/**/*.test.ts'], USES_TIME);

    expect(Object.keys({ ...REAL_TIME, ...SIMULATED }).filter(file => !needed.includes(file))).toEqual([]);
  });
});
