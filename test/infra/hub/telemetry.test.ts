import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { turnOffTelemetry } from '#infra/hub/telemetry.ts';

const SOURCE = `export const sendPosthogEvent = async (
  props: EventMessage,
  config: PostHogConfig
): Promise<void> => {
  await send(props)
}
`;

function folderWith(source: string): { folder: string; read(): string } {
  const folder = mkdtempSync(join(tmpdir(), 'parley-telemetry-'));
  mkdirSync(join(folder, 'packages/common/src/posthog'), { recursive: true });
  const file = join(folder, 'packages/common/src/posthog/helper.ts');
  writeFileSync(file, source);
  return { folder, read: () => readFileSync(file, 'utf8') };
}

describe('turnOffTelemetry', () => {
  it('adds a check of the key before the event, once', () => {
    const { folder, read } = folderWith(SOURCE);

    turnOffTelemetry(folder);
    turnOffTelemetry(folder);

    expect(read().match(/if \(!config\.key\.startsWith\('phc_'\)\) return\n/g)).toHaveLength(1);
    expect(read().indexOf('phc_')).toBeLessThan(read().indexOf('await send'));
  });

  it('rejects a source of another form', () => {
    expect(() => turnOffTelemetry(folderWith('export {}').folder)).toThrow('has another form');
  });
});
