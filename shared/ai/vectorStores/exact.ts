/**
 * Vector store of the local platform: exact search in memory, persisted in one file per index. Only one process may use
 * a directory. An index is loaded on first use.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { VectorStore } from '#shared/ai/vectorStore.ts';
import { type MemoryIndex, memoryIndex } from './memoryIndex.ts';
import { requireIndexName, requireQueryLimits } from './vectorLimits.ts';
import { type LogRecord, openVectorLog, type VectorLog } from './vectorLog.ts';

interface OpenIndex {
  vectors: MemoryIndex | undefined;
  log: VectorLog | undefined;
  /** Settles after the latest change, because changes reach the file in order. */
  lastChange: Promise<unknown>;
}

export function exact(directory?: string): VectorStore {
  const indexes = new Map<string, Promise<OpenIndex>>();

  function open(name: string): Promise<OpenIndex> {
    requireIndexName(name);
    let index = indexes.get(name);
    if (!index) {
      index = load(directory === undefined ? undefined : join(directory, `${name}.vectors`));
      indexes.set(name, index);
      index.catch(() => indexes.delete(name));
    }
    return index;
  }

  /** Serializes changes. Each is written to the file first, so that acknowledged changes persist. */
  async function change(name: string, apply: (index: OpenIndex) => Promise<void>): Promise<void> {
    const index = await open(name);
    const done = index.lastChange.then(() => apply(index));
    index.lastChange = done.catch(() => {});
    await done;
  }

  return {
    async put(name, vectors) {
      if (vectors.length === 0) return true;
      await change(name, async index => {
        // Validates first: a call with an invalid vector changes nothing.
        const dimensions = index.vectors?.dimensions ?? vectors[0]!.vector.length;
        const trial = memoryIndex(dimensions);
        for (const vector of vectors) trial.put(vector);
        await index.log?.append(vectors);
        index.vectors ??= memoryIndex(dimensions);
        for (const vector of vectors) index.vectors.put(vector);
      });
      return true;
    },
    async remove(name, keys) {
      if (keys.length === 0) return;
      await change(name, async index => {
        if (!index.vectors) return;
        await index.log?.append(keys.map(removed => ({ removed })));
        for (const key of keys) index.vectors.remove(key);
      });
    },
    async removeIndex(name) {
      await change(name, async index => {
        await index.log?.remove();
        index.vectors = undefined;
      });
    },
    async query(name, vector, { limit, groups }) {
      requireQueryLimits({ limit, ...(groups ? { groups } : {}) });
      const { vectors } = await open(name);
      return vectors?.query(vector, limit, groups && new Set(groups)) ?? [];
    },
    async similarities(name, vector, keys) {
      const { vectors } = await open(name);
      const found = new Map<string, number>();
      for (const key of keys) {
        const similarity = vectors?.similarity(vector, key);
        if (similarity !== undefined) found.set(key, similarity);
      }
      return found;
    },
  };
}

async function load(path: string | undefined): Promise<OpenIndex> {
  const index: OpenIndex = { vectors: undefined, log: undefined, lastChange: Promise.resolve() };
  if (path === undefined) return index;
  await mkdir(join(path, '..'), { recursive: true });
  let records = 0;
  index.log = await openVectorLog(path, (record: LogRecord) => {
    records++;
    if ('removed' in record) index.vectors?.remove(record.removed);
    else {
      index.vectors ??= memoryIndex(record.vector.length);
      index.vectors.put(record);
    }
  });
  // Compaction takes as long as loading, so it must at least halve the file.
  const size = index.vectors?.size() ?? 0;
  if (records > 2 * size) await index.log.rewrite([...(index.vectors?.all() ?? [])]);
  return index;
}
