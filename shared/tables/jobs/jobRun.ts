/** One run of a job: what it may still do, and how far it is. */
import type * as z from 'zod/mini';
import { changeJob, type TableJob } from '#shared/dynamodb/tables/jobs.ts';
import { write } from '#shared/dynamodb/transaction.ts';
import type { Bot } from '#shared/dynamodb/workspace/bots.ts';

/** Why a job cannot be done, told to who asked for it. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
}

/** A file that a job made: an object that is there, and is to be known by a key. */
export interface OutputFile {
  key: string;
  object: string;
  size: number;
  contentType: string;
}

/** How a run ended, if it did not fail. */
export type RunResult =
  | 'unfinished'
  | {
      file?: OutputFile | undefined;
      /** What it left out, if anything. */
      reason?: string;
      /** Objects that are not needed any more. */
      leftovers?: readonly string[];
    };

/** What does jobs of a type. */
export interface JobHandler {
  work(run: JobRun): Promise<RunResult>;
  /** When one has failed: what there is to look at, and what can be given back. */
  giveUp?(run: JobRun, reason: string): Promise<OutputFile | undefined>;
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

  /** As it was last written. */
  get job(): TableJob {
    return this.#job;
  }

  plan<T>(schema: z.ZodMiniType<T>): T {
    return schema.parse(JSON.parse(this.#job.plan));
  }

  /** Makes the job this run's: whoever worked on it before comes too late with his next checkpoint. @throws Superseded */
  async claim(): Promise<void> {
    await this.#change({ status: 'in_progress' });
  }

  /**
   * Writes down how far it is. It is a step if the plan is another one than before.
   * @param share of all that is to be done, from 0 to 1
   * @throws Superseded
   */
  async save(plan: unknown, share: number, status: TableJob['status'] = 'in_progress'): Promise<void> {
    const text = JSON.stringify(plan);
    const progress = Math.max(this.#job.progress, Math.min(99, Math.floor(share * 100)));
    const steps = this.#job.steps + (text === this.#job.plan ? 0 : 1);
    await this.#change({ plan: text, progress, status, steps });
  }

  /** Whether there is time for another step. */
  isTimeLeft(): boolean {
    return this.#isTimeLeft();
  }

  async #change(change: Partial<TableJob>): Promise<void> {
    const { job, write: part } = changeJob(this.#job, change, Date.now());
    await write([part]);
    this.#job = job;
  }
}
