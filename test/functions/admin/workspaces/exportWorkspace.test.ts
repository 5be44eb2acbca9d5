import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { runTransfer } from '#functions/events/runTransfer.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { clock } from '#shared/core/clock.ts';
import { runExport } from '#shared/domain/transfer/archive.ts';
import { MANIFEST } from '#shared/domain/transfer/format.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { newExport, putNewExport } from '#shared/storage/dynamodb/tenants/exports.ts';
import { operate } from '#test/support/commands.ts';
import { dieWithin } from '#test/support/crashes.ts';
import { upload } from '#test/support/files.ts';
import { type FullWorkspace, fullWorkspace, secretOf } from '#test/support/fullWorkspace.ts';
import { eventually, isLeftOut, newWorkspace, settled, useSharedPlatform } from '#test/support/platform.ts';
import { isComplete } from '#test/support/tier.ts';

useSharedPlatform();

const run = promisify(execFile);
let directory: string;
let full: FullWorkspace;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-archive-'));
  full = await fullWorkspace();
  await upload(full.bot.client, { key: 'random.bin', content: randomBytes(14_000_000), contentType: 'image/png' });
  await settled();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => rm(directory, { recursive: true, force: true }));

const begin = () => full.workspace.call('POST', `/workspaces/${full.workspace.id}/exports`, { body: {} });
const find = (id: string, options = {}) =>
  full.workspace.call('GET', `/workspaces/${full.workspace.id}/exports/${id}`, options);

const untilEnded = (id: string) =>
  eventually(async () => {
    const { body } = await find(id);
    expect(['completed', 'failed']).toContain(body.export.status);
    return body.export;
  });

async function filesIn(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.map(async path => [relative(folder, path), await readFile(path, 'latin1')] as const),
  );
  // The log of a bot that is down grows, and each export adds an audit record.
  const isSame = ([path]: readonly [string, string]) => !/\/(token|logLine|auditRecord)\.|manifest/.test(path);
  const shown = (text: string) => (text.length > 100_000 ? createHash('sha256').update(text).digest('hex') : text);
  return new Map(
    texts
      .filter(isSame)
      .map(([path, text]): [string, string] => [path, shown(text)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Returns the files of a completed export, unpacked by tar. */
async function unpacked(url: string, name: string): Promise<Map<string, string>> {
  const [file, folder] = [join(directory, `${name}.tar.gz`), join(directory, name)];
  await writeFile(file, Buffer.from(await (await fetch(url)).arrayBuffer()));
  await run('mkdir', [folder]);
  await run('tar', ['-xzf', file, '-C', folder]);
  return filesIn(folder);
}

describe.skipIf(isLeftOut('faults'))('POST /v1/admin/workspaces/{id}/exports', () => {
  it('creates an archive without tokens and secrets', async () => {
    const { status, body } = await begin();
    const ended = await untilEnded(body.export.id);
    const files = await unpacked(ended.url, 'one');

    expect([status, body.export.status]).toEqual([201, 'pending']);
    expect(ended).toMatchObject({ status: 'completed', objects: expect.any(Number) });
    expect(ended.bytes).toBeGreaterThan(14_000_000);
    const text = [...files.values()].join('\n');
    expect(text).toContain(full.word);
    expect(text).not.toContain(secretOf(full.word));
    expect(text).not.toMatch(/"kind":"token"/);
  });

  it.skipIf(!isComplete)('creates an archive of the same files as the command', async () => {
    const to = join(directory, 'command');

    const command = await operate('export', ['--workspace', full.workspace.id, '--to', to, '--without-secrets']);

    expect(command.code, command.output).toBe(0);
    expect(await filesIn(to)).toEqual(await filesIn(join(directory, 'one')));
  });

  it('resumes after a timeout or crash, with the same archive', async () => {
    const jobs: string[] = [];
    const handle = runTransfer.handle;
    vi.spyOn(runTransfer, 'handle').mockImplementation(async ({ Records }) => {
      for (const { body } of Records) jobs.push(body);
    });
    const { body } = await begin();
    const next = async () => {
      const [job] = await eventually(async () => {
        expect(jobs.length).toBeGreaterThan(0);
        return jobs.splice(0, 1);
      });
      // Without time left, a run uploads one part.
      await handle({ Records: [{ body: job! }] } as never, lambdaContext('runTransfer', 0));
      return job!;
    };
    const isCompleted = async () => (await find(body.export.id)).body.export.status === 'completed';

    const first = await next();
    expect(await isCompleted()).toBe(false);
    // Queues may deliver twice and in any order.
    jobs.unshift(first);
    while (!(await isCompleted())) await next();
    while (jobs.length > 0) await next();
    const ended = await untilEnded(body.export.id);

    expect(await unpacked(ended.url, 'two')).toEqual(await filesIn(join(directory, 'one')));
  });

  it.each(['unsent', 'lost'] as const)('is completed once by the next run after a crash (call %s)', async death => {
    vi.spyOn(runTransfer, 'handle').mockResolvedValue();
    const workspace = await newWorkspace();
    let at = 0;
    let hasDied: boolean;
    do {
      const begun = newExport(workspace.id, 'someone', clock.now());
      const { id } = begun;
      await write(putNewExport(begun));
      hasDied = await dieWithin({ at: ++at, death }, () => runExport(workspace.id, id, () => true));
      if (hasDied) await runExport(workspace.id, id, () => true);
      const { body } = await workspace.call('GET', `/workspaces/${workspace.id}/exports/${id}`);
      expect(body.export.status, `${at}`).toBe('completed');
      const file = join(directory, `${death}-${at}.tar.gz`);
      await writeFile(file, Buffer.from(await (await fetch(body.export.url)).arrayBuffer()));
      const names = (await run('tar', ['-tzf', file])).stdout.trim().split('\n');
      expect(names.filter(name => name === MANIFEST)).toEqual([names.at(-1)]);
      expect(new Set(names).size).toBe(names.length);
    } while (hasDied);

    expect(at).toBeGreaterThan(5);
  });

  it('returns 409 while another export is in progress, and 429 after five in a day', async () => {
    vi.spyOn(runTransfer, 'handle').mockResolvedValue();
    const workspace = await newWorkspace();
    const path = `/workspaces/${workspace.id}/exports`;

    const first = await workspace.call('POST', path, { body: {} });
    const second = await workspace.call('POST', path, { body: {} });
    // Waits for the queued job, which would otherwise run concurrently with the next line.
    await settled();
    vi.restoreAllMocks();
    await runExport(workspace.id, first.body.export.id, () => true);
    const answers = [];
    for (let i = 0; i < 5; i++) {
      answers.push(await workspace.call('POST', path, { body: {} }));
      const { id } = answers.at(-1)!.body.export ?? {};
      if (id) {
        await eventually(async () =>
          expect((await workspace.call('GET', `${path}/${id}`)).body.export.status).toBe('completed'),
        );
      }
    }

    expect([first.status, second.status, second.body.type]).toEqual([201, 409, 'ResourceLockedConflict']);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 429]);
    expect(answers.at(-1)!.body.message).toContain('Retry after 20');
  });

  it('returns 403 to everyone but administrators of the workspace', async () => {
    const { workspace } = full;
    const developer = await workspace.join('manager');
    const stranger = await newWorkspace();
    const { body } = await begin();
    const { id } = body.export ?? { id: 'none' };

    const path = `/workspaces/${workspace.id}/exports`;
    const answers = await Promise.all([
      workspace.call('POST', path, { token: developer.token, body: {} }),
      find(id, { token: developer.token }),
      stranger.call('POST', path, { body: {} }),
      stranger.call('GET', `/workspaces/${stranger.id}/exports/${id}`),
      find('none'),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([403, 403, expect.any(Number), 404, 404]);
    expect(answers[2]!.status).toBeGreaterThanOrEqual(401);
  });
});
