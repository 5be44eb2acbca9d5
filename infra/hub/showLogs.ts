import { UsageError } from '#infra/operator/target/target.ts';
import { clock } from '#shared/core/clock.ts';
import { showLog } from '#shared/domain/admin/logView.ts';
import type { Source } from './catalog.ts';
import { listInstalled } from './installed.ts';

const HOUR_MS = 3_600_000;
const MAX_LINES = 200;

/** Returns the newest lines of the last hour, from all versions and all bots. Bots see only their own log. */
export async function showLogs(sources: readonly Source[]): Promise<string> {
  const versions = (await listInstalled()).filter(({ name }) => sources.some(source => source.name === name));
  if (versions.length === 0) throw new UsageError('The hub has none of these integrations. npm run hub -- list');
  const nowMs = clock.now();
  const timeStart = new Date(nowMs - HOUR_MS).toISOString();
  const lines: string[] = [];
  for (const { id, name, version } of versions) {
    let pageStart: string | undefined;
    do {
      const { logs, next } = await showLog(id, { timeStart }, { pageStart, nowMs });
      lines.push(...logs.map(line => `${line.timestamp} ${name} ${version} ${line.level} ${line.message}`));
      pageStart = next;
    } while (pageStart !== undefined);
  }
  return lines.toSorted().slice(-MAX_LINES).join('\n') || 'The last hour has no lines.';
}
