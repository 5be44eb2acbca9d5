/**
 * Prints tests that passed only after a retry with the error of every attempt, the slowest files, and the seed. A
 * retried test is a bug in the test or in the product: retries keep it from rejecting a correct change.
 */
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { SEED } from './seed.ts';

const SLOWEST_FILES = 10;

export class RunReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const retried = modules.flatMap(module =>
      [...module.children.allTests('passed')].filter(test => test.diagnostic()?.flaky),
    );
    const lines = [
      ...retriedTests(retried),
      ...(modules.length > SLOWEST_FILES ? slowestFiles(modules) : []),
      `Random choices: SEED=${SEED}`,
    ];
    process.stdout.write(`${lines.join('\n')}\n\n`);
  }
}

function retriedTests(tests: readonly TestCase[]): string[] {
  if (tests.length === 0) return [];
  const listed = tests.flatMap(test => [
    `  ${test.module.relativeModuleId} > ${test.fullName} (passed on retry ${test.diagnostic()!.retryCount})`,
    ...(test.result().errors ?? []).map(
      (error, i) => `    attempt ${i + 1}: ${error.message.replaceAll('\n', '\n      ')}`,
    ),
  ]);
  return [`${tests.length} tests passed on retry. Each is a bug:`, ...listed];
}

function slowestFiles(modules: readonly TestModule[]): string[] {
  const files = modules
    .map(module => ({ name: module.relativeModuleId, ms: module.diagnostic().duration }))
    .sort((a, b) => b.ms - a.ms);
  const all = files.reduce((sum, { ms }) => sum + ms, 0);
  return [
    `Worker time: ${seconds(all)} in ${files.length} files. The slowest:`,
    ...files.slice(0, SLOWEST_FILES).map(({ name, ms }) => `  ${seconds(ms).padStart(7)}  ${name}`),
  ];
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
