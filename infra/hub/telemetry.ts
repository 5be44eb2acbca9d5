/**
 * Integrations of the public repository send an event to their owner's PostHog account for each call, before the call.
 * Builds for an installation of Parley send none unless the operator sets a key of their own account.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const HELPER = 'packages/common/src/posthog/helper.ts';
/** Keys of PostHog projects have a prefix. */
const CHECK = "\n  if (!config.key.startsWith('phc_')) return";
const START = /export const sendPosthogEvent = async \([^)]*\): Promise<void> => \{/;

/** The secret with the key. */
export const TELEMETRY_KEY = 'POSTHOG_KEY';

/** Changes the checked-out source. Idempotent. @throws Error for a source of another form */
export function turnOffTelemetry(folder: string): void {
  const file = join(folder, HELPER);
  const source = readFileSync(file, 'utf8');
  if (source.includes(CHECK)) return;
  const changed = source.replace(START, start => `${start}${CHECK}`);
  if (changed === source)
    throw new Error(`${HELPER} of the clone has another form. Use an earlier commit of the clone.`);
  writeFileSync(file, changed);
}
