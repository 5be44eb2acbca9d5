/**
 * Journal that makes an import resumable. Each unit, such as a page of conversations with their messages, is written
 * completely and then recorded. A repeated run skips recorded units and rewrites all other units.
 */
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeExportFile } from '#infra/operator/transfer/exportDirectory.ts';
import { linesFile, OBJECTS } from '#shared/domain/transfer/format.ts';
import { lineOf } from '#shared/domain/transfer/lines.ts';
import type { Secrets } from '#shared/domain/transfer/secrets.ts';
import type { Item } from '#shared/storage/dynamodb/engine/query.ts';
import type { Tenant } from '#shared/storage/dynamodb/tenants/tenants.ts';

const JOURNAL = 'progress.ndjson';
const MAPPING = 'mapping.ndjson';

export interface UnitResult {
  next?: string | undefined;
  sums?: Record<string, number>;
  noted?: unknown;
}

interface Noted extends UnitResult {
  unit: string;
  kinds: Record<string, number>;
  objects: number;
}

export interface Journal {
  unit(name: string, tenant: Tenant, run: (part: Part) => Promise<UnitResult>): Promise<UnitResult>;
  total(of: 'kinds' | 'sums'): Record<string, number>;
  objects(): number;
}

export class Part {
  readonly items: Item[] = [];
  readonly mapping: { kind: string; from: string; to: string }[] = [];
  objects = 0;
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  add(...items: readonly Item[]): void {
    this.items.push(...items);
  }

  map(kind: string, from: string, to: string): void {
    if (from !== to) this.mapping.push({ kind, from, to });
  }

  async putObject(key: string, bytes: Uint8Array): Promise<void> {
    await writeExportFile(this.#directory, `${OBJECTS}${key}`, bytes);
    this.objects++;
  }
}

export async function openJournal(directory: string, secrets: Secrets): Promise<Journal> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, JOURNAL);
  const noted = new Map<string, Noted>();
  const text = await readFile(file, 'utf8').catch(() => '');
  // Discards the last line if it is incomplete after a crash.
  for (const line of text.split('\n').slice(0, -1)) {
    const each = JSON.parse(line) as Noted;
    noted.set(each.unit, each);
  }
  let count = noted.size;

  const writePart = async (tenant: Tenant, part: Part): Promise<Record<string, number>> => {
    const kinds = new Map<string, string[]>();
    for (const item of part.items) {
      const line = await lineOf(item, secrets);
      if (line) kinds.set(line.kind, [...(kinds.get(line.kind) ?? []), line.text]);
    }
    for (const [kind, lines] of kinds) {
      await writeExportFile(directory, linesFile(tenant, kind, count), `${lines.join('\n')}\n`);
    }
    if (part.mapping.length > 0) {
      const lines = part.mapping.map(each => `${JSON.stringify(each)}\n`);
      await appendFile(join(directory, MAPPING), lines.join(''), { mode: 0o600 });
    }
    return Object.fromEntries([...kinds].map(([kind, lines]) => [kind, lines.length]));
  };

  const total = (of: 'kinds' | 'sums') => {
    const all: Record<string, number> = {};
    for (const each of noted.values()) {
      for (const [name, value] of Object.entries(each[of] ?? {})) all[name] = (all[name] ?? 0) + value;
    }
    return all;
  };

  return {
    total,
    objects: () => [...noted.values()].reduce((sum, { objects }) => sum + objects, 0),
    unit: async (name, tenant, run) => {
      const known = noted.get(name);
      if (known) return known;
      count++;
      const part = new Part(directory);
      const result = await run(part);
      const kinds = await writePart(tenant, part);
      const each: Noted = { unit: name, kinds, objects: part.objects, ...result };
      await appendFile(file, `${JSON.stringify(each)}\n`, { mode: 0o600 });
      noted.set(name, each);
      return result;
    },
  };
}
