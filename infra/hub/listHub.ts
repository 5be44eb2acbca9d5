/** Compares the hub with the clone. */
import type { Catalog, Source } from './catalog.ts';
import { listInstalled, type State, stateOf } from './installed.ts';

/** Returns the integrations of the hub that differ from the clone. */
export async function outdated(sources: readonly Source[]): Promise<Source[]> {
  const installed = await listInstalled();
  const states = await Promise.all(sources.map(source => stateOf(source, installed)));
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
    `\n${sources.length} in the clone (${commit.slice(0, 10)}): ${count('current')} current, ${behind} behind.`,
  );
  return lines.join('\n');
}
