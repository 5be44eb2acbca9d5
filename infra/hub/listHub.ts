/** Compares the hub with the clone. */
import { UsageError } from '#infra/operator/target/target.ts';
import { startOf } from '#shared/core/excerpt.ts';
import type { Catalog, Source } from './catalog.ts';
import { listInstalled, type State, stateOf } from './installed.ts';

/**
 * Returns the integrations of the hub that differ from the clone.
 * @param isNamed the operator chose the sources
 * @throws UsageError for a named integration that the hub does not have
 */
export async function outdated(sources: readonly Source[], isNamed: boolean): Promise<Source[]> {
  const installed = await listInstalled();
  const states = await Promise.all(sources.map(source => stateOf(source, installed)));
  const absent = sources.find((_, i) => states[i]!.state === 'absent');
  if (isNamed && absent)
    throw new UsageError(`${absent.name} is not in the hub. Add it with npm run hub -- add ${absent.name}.`);
  return sources.filter((_, i) => states[i]!.state === 'behind' || states[i]!.state === 'changed');
}

const TEXTS: Record<State, string> = {
  absent: '',
  current: 'current',
  changed: 'changed source: update',
  behind: 'behind: update',
  foreign: 'another workspace',
};

/** Returns a line for each integration of the clone, and a summary. */
export async function listHub({ commit, sources }: Catalog): Promise<string> {
  const installed = await listInstalled();
  const lines = [`${'integration'.padEnd(24)}${'hub'.padEnd(10)}${'clone'.padEnd(10)}state`];
  const counts = new Map<State, number>();
  for (const source of sources) {
    const { state, newest } = await stateOf(source, installed);
    counts.set(state, (counts.get(state) ?? 0) + 1);
    const line = [source.name.padEnd(24), (newest?.version ?? '').padEnd(10), (source.version ?? '').padEnd(10)];
    lines.push(`${line.join('')}${TEXTS[state]}`.trimEnd());
  }
  const count = (state: State) => counts.get(state) ?? 0;
  const behind = count('behind') + count('changed');
  lines.push(
    `\n${sources.length} in the clone (${startOf(commit, 10)}): ${count('current')} current, ${behind} behind.`,
  );
  return lines.join('\n');
}
