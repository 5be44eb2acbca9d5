import type * as z from 'zod/mini';
import { clock } from '#shared/core/clock.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { changeJob, type TableJob } from '#shared/storage/dynamodb/tables/jobs.ts';

/** A permanent failure. The message is shown to the job's owner. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
}

export interface OutputFile {
  key: string;
  object: string;
  size: number;
  contentType: string;
}

export type RunResult =
  | 'unfinished'
  | {
      file?: OutputFile | undefined;
      reason?: string;
      leftovers?: readonly string[];
    };

export interface JobHandler {
  work(run: JobRun): Promise<RunResult>;
  /** @returns a file that explains the failure, if any */
  giveUp?(run: JobRun, reason: string): Promise<OutputFile | undefined>;
  leftovers?(run: JobRun): readonly string[];
}

export class JobRun {
  readonly bot: Bot;
  readonly #isTimeLeft: () => boolean;
  #job: TableJob;

  constructor(bot: Bot, job: TableJob, isTimeLeft: () => boolean) {
    this.bot = bot;
    this.#job = job;
    this.#isTimeLeft = isTimeLeft;
  }

  get job(): TableJob {
    return this.#job;
  }

  plan<T>(schema: z.ZodMiniType<T>): T {
    return schema.parse(JSON.parse(this.#job.plan));
  }

  /** Claims the job, so that the next checkpoint of an earlier run fails. @throws Superseded */
  async claim(): Promise<void> {
    await this.#change({ status: 'in_progress' });
  }

  /**
   * Writes a checkpoint. It counts as progress only if the plan has changed.
   * @param share of the work done, from 0 to 1
   * @param options.objects the objects referenced by the plan
   */
  async save(
    plan: unknown,
    share: number,
    { status = 'in_progress', objects }: { status?: TableJob['status']; objects?: readonly string[] } = {},
  ): Promise<void> {
    const text = JSON.stringify(plan);
    const progress = Math.max(this.#job.progress, Math.min(99, Math.floor(share * 100)));
    const steps = this.#job.steps + (text === this.#job.plan ? 0 : 1);
    await this.#change({ plan: text, progress, status, steps }, objects);
  }

  isTimeLeft(): boolean {
    return this.#isTimeLeft();
  }

  async #change(change: Partial<TableJob>, objects?: readonly string[]): Promise<void> {
    const { job, write: part } = changeJob(this.#job, change, clock.now());
    await write([part], objects);
    this.#job = job;
  }
}
