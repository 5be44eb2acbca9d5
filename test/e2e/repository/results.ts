/** Results of the packages of the public repository, stored after each package so that a run can be resumed. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { SourcePackage } from '#infra/hub/buildSources.ts';

export const STEPS = ['built', 'deployed', 'rolledOut', 'registered', 'message'] as const;
export type StepName = (typeof STEPS)[number];

export type Step =
  | { result: 'yes'; detail?: string }
  /** The integration rejected its placeholder credentials. */
  | { result: 'refused'; detail: string }
  /** The reason lies in the package, the registry or the network, not in Parley. */
  | { result: 'source'; detail: string }
  | { result: 'failed'; detail: string };

export interface Outcome extends SourcePackage {
  version?: string;
  /** Bytes of the bundle. */
  bytes?: number;
  seconds: number;
  /** Steps that do not apply or were not reached are absent. */
  steps: Partial<Record<StepName, Step>>;
}

export const failuresOf = ({ steps }: Outcome): [StepName, Step][] =>
  STEPS.flatMap((name): [StepName, Step][] => (steps[name]?.result === 'failed' ? [[name, steps[name]]] : []));

export class Results {
  readonly #file: string;
  readonly #outcomes: Map<string, Outcome>;

  constructor(file: string) {
    this.#file = file;
    const stored: Outcome[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
    this.#outcomes = new Map(stored.map(outcome => [outcome.path, outcome]));
  }

  get = (path: string): Outcome | undefined => this.#outcomes.get(path);

  set(outcome: Outcome): void {
    this.#outcomes.set(outcome.path, outcome);
    writeFileSync(this.#file, JSON.stringify([...this.#outcomes.values()], null, 2));
  }
}
