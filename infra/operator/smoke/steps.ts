/** Runs the smoke test's steps in order and prints a line for each. Skips steps that depend on a failed step. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CheckFailed, failureOf, likelyCause, StepTimeout } from './causes.ts';
import { takeFailedResponse } from './responses.ts';

export interface Outcome<T> {
  name: string;
  value?: T;
}

interface Planned {
  name: string;
  shows: string;
  timeoutMs: number;
}

export interface Step {
  signal: AbortSignal;
  /** Replaces the text that is printed when the step passes. */
  remark(text: string): void;
  /** Sets what the step is waiting for. A timeout reports it. */
  waitsFor(what: string): void;
  /** Repeats a check until it returns a value. Also sets what the step is waiting for. @throws errors of `check` */
  until<T>(what: string, check: () => Promise<T | undefined>): Promise<T>;
}

interface Options {
  say(line: string): void;
  skipped: ReadonlySet<string>;
  /** True if the platform does not run on this machine. */
  isRemote: boolean;
  /** Options that select the platform in other commands, such as ` --stack Parley`. */
  target: string;
  interruption: AbortSignal;
}

const POLL_MS = 500;
const CLEANUP = 'clean up';
const CLEANUP_MS = 60_000;
const NAME_WIDTH = 14;

export class Steps {
  readonly #options: Options;
  readonly #removals: { what: string; remove: () => Promise<unknown> }[] = [];
  readonly #counts = { passed: 0, failed: 0, left: 0 };

  constructor(options: Options) {
    this.#options = options;
  }

  get counts() {
    return this.#counts;
  }

  /** Registers a deletion. {@link cleanUp} runs deletions in reverse order. */
  removeLater(what: string, remove: () => Promise<unknown>): void {
    this.#removals.push({ what, remove });
  }

  async run<N, T>(
    { name, shows, timeoutMs }: Planned,
    needed: Outcome<N> | undefined,
    work: (value: N, step: Step) => Promise<T>,
  ): Promise<Outcome<T>> {
    const { interruption, skipped } = this.#options;
    const reason = skipped.has(name)
      ? 'skipped'
      : interruption.aborted
        ? 'interrupted'
        : needed && !('value' in needed)
          ? `not run, because it needs the step "${needed.name}"`
          : undefined;
    if (reason) {
      this.#counts.left++;
      this.#line('-', name, undefined, reason);
      return { name };
    }
    const startMs = performance.now();
    takeFailedResponse();
    try {
      const { value, remark } = await this.#limited(timeoutMs, step => work(needed?.value as N, step));
      this.#counts.passed++;
      this.#line('✓', name, performance.now() - startMs, remark ?? shows);
      return { name, value };
    } catch (error) {
      this.#counts.failed++;
      this.#report(name, performance.now() - startMs, error);
      return { name };
    }
  }

  /** Runs the registered deletions, also after an interruption, and reports which failed. */
  async cleanUp(): Promise<void> {
    const startMs = performance.now();
    const left: string[] = [];
    let failure: unknown;
    // A step that timed out may still register a deletion.
    for (let next = this.#removals.pop(); next; next = this.#removals.pop()) {
      const { what, remove } = next;
      const limit = new AbortController();
      const timeout = sleep(CLEANUP_MS, undefined, { signal: limit.signal }).then(() => {
        throw new StepTimeout(CLEANUP_MS);
      });
      await Promise.race([remove(), timeout]).catch(error => {
        left.push(what);
        failure ??= error;
      });
      limit.abort();
      timeout.catch(() => {});
    }
    const durationMs = performance.now() - startMs;
    if (left.length === 0) return this.#line('✓', CLEANUP, durationMs, 'what the steps created was deleted');
    this.#counts.failed++;
    this.#report(
      CLEANUP,
      durationMs,
      new CheckFailed(`Not deleted: ${left.join(', ')}. ${(failure as Error).message}`),
    );
  }

  async #limited<T>(
    timeoutMs: number,
    work: (step: Step) => Promise<T>,
  ): Promise<{ value: T; remark: string | undefined }> {
    const { interruption } = this.#options;
    const ending = new AbortController();
    const signal = AbortSignal.any([ending.signal, interruption]);
    let waiting: string | undefined;
    let remark: string | undefined;
    const step: Step = {
      signal,
      remark: text => {
        remark = text;
      },
      waitsFor: what => {
        waiting = what;
      },
      until: async (what, check) => {
        waiting = what;
        for (;;) {
          const found = await check();
          if (found !== undefined) return found;
          await sleep(POLL_MS, undefined, { signal });
        }
      },
    };
    const aborted = new Promise<never>((_, reject) => {
      const stop = () => reject(new CheckFailed('Interrupted.'));
      interruption.addEventListener('abort', stop, { once: true });
    });
    const timer = sleep(timeoutMs, undefined, { signal: ending.signal }).then(() => {
      throw new StepTimeout(timeoutMs, waiting);
    });
    const working = work(step);
    // The losers of the race reject later.
    for (const each of [working, timer, aborted]) each.catch(() => {});
    try {
      return { value: await Promise.race([working, timer, aborted]), remark };
    } finally {
      ending.abort();
    }
  }

  #report(name: string, durationMs: number, error: unknown): void {
    const { isRemote, target, say, interruption } = this.#options;
    const response = takeFailedResponse();
    const known = failureOf(error);
    const failure = { ...known, status: known.status ?? response?.status };
    this.#line('✗', name, durationMs, failure.message);
    if (interruption.aborted && name !== CLEANUP) return;
    const ids = [
      ...(failure.errorId ? [`error ${failure.errorId}`] : []),
      ...(response?.requestId ? [`request ${response.requestId}`] : []),
    ];
    if (ids.length > 0) say(`    ids: ${ids.join(', ')}`);
    const cause = likelyCause(name, failure, isRemote);
    if (cause) say(`    likely cause: ${cause}`);
    const search = failure.errorId ? `--error ${failure.errorId}` : '--errors --since 10m';
    if ((failure.status ?? 500) >= 500 && !failure.networkCode) say(`    log: npm run logs -- ${search}${target}`);
  }

  #line(mark: string, name: string, durationMs: number | undefined, remark?: string): void {
    const duration = durationMs === undefined ? '' : `${(durationMs / 1_000).toFixed(1)} s`;
    this.#options.say(`${mark} ${name.padEnd(NAME_WIDTH)} ${duration.padStart(7)}${remark ? `  ${remark}` : ''}`);
  }
}
