import { describe, expect, it } from 'vitest';
import { runCode } from '#shared/domain/tables/compute/sandbox.ts';
import type { SandboxResult } from '#shared/domain/tables/compute/sandboxTask.ts';
import type { Values } from '#shared/domain/tables/schema/rowValues.ts';

const ROW: Values = { name: 'Ada', age: 36, list: [1, { a: 2 }], nothing: null, constructor: 'own' };
const run = (code: string, options = {}) => runCode(code, ROW, options);
const errorOf = (outcome: SandboxResult) => ('error' in outcome ? outcome.error : 'none');
/** Either limit may apply first on a busy machine. */
const LIMIT = /^The code (ran longer than|used more than|recursed or nested|crashed its interpreter)/;
/** Exceeds the other limits. */
const LONG = { timeoutMs: 10_000 };

describe('code of a column', () => {
  it.each<[string, unknown]>([
    ['row.age + 1', 37],
    ['row.name.toUpperCase() // loud', 'ADA'],
    ['{ name: row.name }', { name: 'Ada' }],
    ['row.constructor', 'own'],
    ['row.nothing', null],
    ['undefined', null],
    ['row.missing', null],
    ['NaN', null],
    ['"return"', 'return'],
    ['return row.age', 36],
    ['const [first] = row.list\nreturn first', 1],
    ['if (row.age < 5) return "young"', null],
    ['"😀ä"', '😀ä'],
    ['JSON.parse(\'{"__proto__": 1}\')', JSON.parse('{"__proto__": 1}')],
  ])('evaluates %s', async (code, value) => {
    expect(await run(code)).toEqual({ value });
  });

  it.each(['row.age = 1', 'row.list.push(1)', 'row.list[1].a = 1', 'row.more = 1', 'delete row.age', 'undeclared = 1'])(
    'cannot change its row: %s',
    async code => {
      expect(errorOf(await run(code))).toMatch(/^(Type|Reference)Error: /);
    },
  );

  it('has no access to data of another run', async () => {
    await run('globalThis.left = 1; Object.prototype.left = 1; JSON.stringify = () => "1"; return 1');

    expect(await run('[typeof left, typeof {}.left]')).toEqual({ value: ['undefined', 'undefined'] });
  });

  it('runs sequentially', async () => {
    const runs = await Promise.all([run('1'), run('while (true) {} return 2', { timeoutMs: 50 }), run('3')]);

    expect(runs).toEqual([{ value: 1 }, { error: 'The code ran longer than 50 ms.', isTimeout: true }, { value: 3 }]);
  });

  it('runs round-robin by tenant', async () => {
    const order: string[] = [];
    const runFor = async (tenant: string, code: string) => {
      await run(code, { tenant, timeoutMs: 50 });
      order.push(tenant);
    };

    await Promise.all([
      ...Array.from({ length: 5 }, () => runFor('busy', 'while (true) {} return 1')),
      runFor('quiet', '1'),
    ]);

    expect(order.indexOf('quiet')).toBeLessThanOrEqual(2);
  });
});

describe('faulty code', () => {
  it.each<[string, string | RegExp]>([
    ['', /^SyntaxError: /],
    ['row.age +', /^SyntaxError: /],
    ['const a = 1', /^SyntaxError: /],
    ['return }', /^SyntaxError: /],
    ['export default 1', /^SyntaxError: /],
    ['row.nothing.x', /^TypeError: /],
    ['throw new Error("no"); return', 'Error: no'],
    ['throw "text"; return', 'text'],
    ['throw null; return', 'null'],
    ['throw { toString: null }; return', 'The code threw a value without a message.'],
    ['Error = String = null; throw new TypeError("no"); return', 'TypeError: no'],
    ['() => 1', 'The code must return a JSON value, not a function.'],
    ['Symbol()', 'The code must return a JSON value, not a function.'],
    ['10n', /^TypeError: /],
    ['const o = {}; o.o = o; return o', /^TypeError: circular/],
    ['Promise.resolve(1)', 'The code returned a promise. Make it synchronous.'],
    ['Promise.reject(1)', 'The code returned a promise. Make it synchronous.'],
    ['new Promise(() => {})', 'The code returned a promise. Make it synchronous.'],
    ['(async () => 1)()', 'The code returned a promise. Make it synchronous.'],
  ])('fails: %s', async (code, error) => {
    const said = errorOf(await run(code));

    if (typeof error === 'string') expect(said).toBe(error);
    else expect(said).toMatch(error);
  });

  it('has its message truncated', async () => {
    expect(errorOf(await run('throw "x".repeat(1e6); return'))).toBe('x'.repeat(500));
  });

  it('returns at most 100,000 characters', async () => {
    expect(await run('"x".repeat(99998)', LONG)).toEqual({ value: 'x'.repeat(99_998) });
    expect(errorOf(await run('"x".repeat(99999)', LONG))).toContain('more than 100,000 characters');
  });
});

describe('hostile code', () => {
  it.each([
    'while (true) {} return',
    'for (;;) try { for (;;); } catch {} finally { for (;;); } return',
    '({ toJSON() { while (true) {} return 1 } })',
    '({ get a() { while (true) {} return 1 } })',
    'new Proxy({}, { ownKeys() { while (true) {} return 1 } })',
    'throw { toString() { while (true) {} return 1 } }; return',
    'throw Object.defineProperty(new Error(), "message", { get() { while (true) {} return 1 } }); return',
    '/(a+)+$/.test("a".repeat(40) + "b")',
    'try { /(a+)+$/.test("a".repeat(40) + "b") } catch {} return 5',
    // Built-in functions do not poll the interrupt handler.
    '[].indexOf.call({ length: 2 ** 53 - 1 }, 1)',
    '"a".repeat(1e7).indexOf("a".repeat(5e6) + "b")',
  ])('is stopped: %s', async code => {
    expect(errorOf(await run(code))).toBe('The code ran longer than 500 ms.');
    expect(await run('row.age')).toEqual({ value: 36 });
  });

  it.each(['"ab".repeat(5e8)', 'let a = [1]; for (;;) a = a.concat(a); return', 'new Uint8Array(1e9)'])(
    'exceeds its memory: %s',
    async code => {
      expect(errorOf(await run(code, LONG))).toBe('The code used more than 32 MB.');
      expect(errorOf(await run(code, { ...LONG, memoryBytes: 4 * 1024 ** 2 }))).toBe('The code used more than 4 MB.');
    },
  );

  it.each([
    'let s = "ab"; for (;;) s += s; return',
    'const a = []; for (;;) a.push({ a }); return',
    'let o = []; for (let i = 0; i < 60; i++) o = [o, o]; return o',
    '/(a|a)*b/.test("a".repeat(1e6))',
  ])('exceeds one limit or another: %s', async code => {
    expect(await run(code)).toHaveProperty('error');
    expect(await run('row.age')).toEqual({ value: 36 });
  });

  it.each([
    'const f = () => f() + 1; return f()',
    'const f = () => [1].map(f); return f()',
    `${'['.repeat(9_000)}${']'.repeat(9_000)}`,
    `${'('.repeat(9_000)}1${')'.repeat(9_000)}`,
    'JSON.parse("[".repeat(1e5))',
    'let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; return o',
  ])('is limited in depth: %#', async code => {
    expect(errorOf(await run(code))).toMatch(LIMIT);
    expect(await run('row.age')).toEqual({ value: 36 });
  });

  it.each([
    'process',
    'require',
    'fetch',
    'console',
    'setTimeout',
    'WebAssembly',
    'Worker',
    'Buffer',
    'std',
    'os',
    'parentPort',
    'workerData',
    'module',
    '__dirname',
  ])('finds no %s', async name => {
    const ways = [
      `typeof ${name}`,
      `typeof globalThis.${name}`,
      `new Function("return typeof ${name}")()`,
      `(0, eval)("typeof ${name}")`,
      `typeof run.constructor("return this")().${name}`,
    ].join(', ');

    expect(await run(`const run = () => 1; return [${ways}]`)).toEqual({ value: Array(5).fill('undefined') });
  });

  it('cannot escape through its input or import modules', async () => {
    expect(await run('row.list.constructor.constructor("return typeof process")()')).toEqual({ value: 'undefined' });
    expect(await run('Object.getPrototypeOf(row) === Object.prototype')).toEqual({ value: true });
    expect(errorOf(await run('import("fs")'))).toContain('returned a promise');
    expect(errorOf(await run('import fs from "fs"; return 1'))).toMatch(/^SyntaxError: /);
  });

  it('cannot change the host through prototypes', async () => {
    await run('Object.prototype.polluted = 1; Array.prototype.polluted = 1; return 1');

    expect(await run('({ ["__proto__"]: { polluted: 1 } })')).toEqual({
      value: JSON.parse('{"__proto__":{"polluted":1}}'),
    });
    expect({}).not.toHaveProperty('polluted');
  });

  it('gains nothing by closing the parentheses around it', async () => {
    expect(await run('1) + (2')).toEqual({ value: 3 });
    expect(await run('1)}); (function () { return (typeof process')).toEqual({ value: 'undefined' });
  });

  it('receives any value of a row unchanged', async () => {
    const row = JSON.parse('{"__proto__": {"a": 1}, "toJSON": "x", "text": "\\u2028` + \\"); while(1);"}');

    expect(await runCode('row', row)).toEqual({ value: row });
  });
});
