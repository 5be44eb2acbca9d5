/** Traces of deployed code name the lines of the source, if the deployment has a source map. */
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { callCode } from '#shared/outbound/code/callCode.ts';
import { extractMap, withInlineMap } from '#shared/outbound/code/sourceMaps.ts';
import { afterRollout } from '#test/support/deployedCode.ts';
import { eventually, newBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const SOURCE = `interface Request { body: string }

const fail = (what: string): never => {
  throw new TypeError(\`no \${what}\`);
};

export const handler = async ({ body }: Request) => {
  if (body === 'throw') fail('throw');
  if (body === 'timer') setTimeout(() => fail('timer'), 1);
  if (body === 'rejection') void (async () => { await null; fail('rejection'); })();
  if (body === 'print') console.error(new Error('printed'));
  if (body === 'long') throw new Error('x'.repeat(5_000));
  if (body !== 'print') await new Promise(resolve => setTimeout(resolve, 30));
  return {};
};
`;

/** Bundles the source in the form of `bp build --sourceMap`, which writes two files. */
async function bundled(sourcemap: 'linked' | 'inline' | false) {
  const { outputFiles } = await build({
    stdin: { contents: SOURCE, sourcefile: 'src/index.ts', loader: 'ts' },
    ...{ bundle: true, format: 'cjs', minify: true, keepNames: true, write: false, logLevel: 'silent' },
    outfile: '.botpress/dist/index.cjs',
    sourcemap,
  });
  const textOf = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text;
  return { code: textOf('.cjs')!, sourceMap: textOf('.map') };
}

async function deployed(fields: { code: string; sourceMap?: string | undefined }) {
  const bot = await newBot();
  const { status, body } = await bot.workspace.call('PUT', `/bots/${bot.id}`, { body: fields });
  expect({ status, message: body.message }).toEqual({ status: 200, message: undefined });
  const running = (await afterRollout({ kind: 'bot', id: bot.id }))!;
  const owner = { kind: 'bot', id: bot.id } as const;
  const reasonOf = async (body: string) => {
    const outcome = await callCode(owner, running, { headers: {}, body });
    return outcome.kind === 'crashed' ? outcome.reason : outcome;
  };
  const logged = async () => {
    const timeStart = new Date(0).toISOString();
    return (await bot.workspace.owner.client.getBotLogs({ id: bot.id, timeStart })).logs.map(({ message }) => message);
  };
  return { bot, owner, running, reasonOf, logged };
}

describe('the trace of deployed code', () => {
  it.each(['linked', 'inline'] as const)('names the lines of the source: map %s', async kind => {
    const { reasonOf, logged } = await deployed(await bundled(kind));

    expect(await reasonOf('throw')).toBe(
      'The handler threw an error: TypeError: no throw\n    at fail (src/index.ts:4:9)\n    at handler (src/index.ts:8:25)',
    );
    expect(await reasonOf('timer')).toMatch(
      /^The code threw .*: TypeError: no timer\n {4}at fail \(src\/index\.ts:4:9\)\n {4}at .*\(src\/index\.ts:9:42\)$/,
    );
    expect(await reasonOf('rejection')).toMatch(
      /^A rejected .*: TypeError: no rejection\n {4}at fail \(src\/index\.ts:4:9\)\n {4}at .*src\/index\.ts:10:61\)?$/,
    );
    await reasonOf('print');
    await eventually(async () =>
      expect(await logged()).toContainEqual(
        expect.stringMatching(/^Error: printed\n {4}at handler \(src\/index\.ts:11:\d+\)$/),
      ),
    );
  });

  it('names positions in the bundle without a map', async () => {
    const { reasonOf } = await deployed(await bundled(false));

    expect(await reasonOf('timer')).toMatch(/no timer\n {4}at fail \(code\.cjs:\d+:\d+\)\n/);
  });

  it('follows a long message, which is shortened', async () => {
    const { reasonOf } = await deployed(await bundled('inline'));

    expect(await reasonOf('long')).toMatch(/^The handler threw an error: Error: x{900,1000} …\n {4}at handler \(src/);
  });

  it('keeps the output of the next call when a failed call continues', async () => {
    const { reasonOf, logged } = await deployed(await bundled(false));

    expect(await reasonOf('rejection')).toContain('no rejection');
    expect(await reasonOf('print')).toMatchObject({ kind: 'answered' });

    await eventually(async () => expect(await logged()).toContainEqual(expect.stringContaining('Error: printed')));
  });
});

describe('sourceMap', () => {
  const update = async (body: object) => {
    const bot = await newBot();
    return bot.workspace.call('PUT', `/bots/${bot.id}`, { body });
  };

  it.each([
    ['without code', { sourceMap: '{}' }, 'Send the code together'],
    ['that is not JSON', { code: 'exports.handler = 1', sourceMap: 'no' }, 'source map of version 3'],
    ['without mappings', { code: 'exports.handler = 1', sourceMap: '{"version":3,"sources":[]}' }, 'source map'],
  ])('returns 400 for a map %s', async (_, body, message) => {
    const answer = await update(body);

    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(message);
  });
});

describe('extractMap', () => {
  const MAP = JSON.stringify({
    version: 3,
    sources: ['../../src/a.ts', null],
    mappings: 'AAAA',
    sourcesContent: ['a'],
  });
  const textOf = (bytes?: Uint8Array) => (bytes ? Buffer.from(bytes).toString() : undefined);
  const extracted = (code: string) => {
    const { code: bare, map } = extractMap(Buffer.from(code), 'code.cjs.map');
    return { code: textOf(bare), map: map && JSON.parse(textOf(map)!) };
  };

  it('moves the map to a file, with sources below the folder of the code', () => {
    expect(extracted(withInlineMap('run();\n//# sourceMappingURL=index.cjs.map\n', MAP))).toEqual({
      code: 'run();\n//# sourceMappingURL=code.cjs.map\n',
      map: { version: 3, sources: ['src/a.ts', null], names: [], mappings: 'AAAA' },
    });
  });

  it.each([
    'run();',
    'run("//# sourceMappingURL=data:application/json;base64,e30=");\nrun();',
    'run();\n//# sourceMappingURL=index.cjs.map\n',
    'run();\n//# sourceMappingURL=data:application/json;base64,bm8=',
  ])('leaves code without a readable map unchanged: %s', code => {
    expect(extracted(code)).toEqual({ code, map: undefined });
  });
});
