/** Tests the file formats of imports and the stored rows. */
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { upload } from '#test/support/files.ts';
import { eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { computed, expectCounts, newTable } from '#test/support/rowInternals.ts';
import { errorsOf, importContent, recordOf, rowsOf, untilEnded } from '#test/support/tableJobs.ts';
import { sampled } from '#test/support/tier.ts';

useSharedPlatform();
afterEach(() => vi.restoreAllMocks());

let bot: TestBot;
beforeEach(async () => {
  bot = await newBot();
});

const SCHEMA = { name: 'Ada', age: 36, isAdmin: true, address: {}, tags: [] };
const table = async (schema: Record<string, unknown> = SCHEMA, options: object = {}) =>
  (await newTable(bot.client, schema, options)).id;
const namesIn = async (id: string) => (await rowsOf(bot.client, id)).map(({ name }) => name);

const BLANK = { age: null, isAdmin: null, address: null, tags: null };

describe('POST /tables/{table}/import', () => {
  it('accepts the id or key of a file, and returns a listed job', async () => {
    const id = await table();
    const file = await upload(bot.client, { key: 'dir/people.csv', content: 'name,age\nAda,36\n' });

    const { job } = await bot.client.importTable({ table: id, fileId: 'dir/people.csv' });

    expect(job).toMatchObject({ type: 'import', status: 'pending', inputFileId: file.id, outputFileId: null });
    expect(await untilEnded(bot.client, job)).toMatchObject({ status: 'completed', progress: 100, outputFileId: null });
    expect(await rowsOf(bot.client, id)).toEqual([{ id: 1, ...BLANK, name: 'Ada', age: 36 }]);
    await expectCounts(bot.client, id, { rows: 1 });
  });

  it('returns 404 for an unknown file, 400 for a file without an upload, and 403 for an integration’s file', async () => {
    const id = await table();
    const { file } = await bot.client.upsertFile({ key: 'pending.csv', size: 3 });
    const other = await upload(bot.integration, { key: 'its.csv', content: 'name\nx\n' });
    const importOf = (fileId: string) => bot.client.importTable({ table: id, fileId });

    await expect(importOf('none.csv')).rejects.toMatchObject({ code: 404 });
    await expect(importOf(file.id)).rejects.toMatchObject({ code: 400 });
    await expect(importOf(other.id)).rejects.toMatchObject({ code: 403 });
    await expect(bot.client.importTable({ table: 'noTable', fileId: file.id })).rejects.toMatchObject({ code: 404 });
  });
});

describe('CSV', () => {
  it('is parsed as values of the columns’ types, with null for an empty cell', async () => {
    const id = await table();

    const { errors } = await importContent(
      bot,
      id,
      '\ufeffid,createdAt,age,name,isAdmin,address,tags\r\n' +
        '77,2020-01-01T00:00:00Z,1.5e3,"a ""b"",\r\nc",TRUE,"{""x"":[1]}","[1,2]"\r\n' +
        '78,,,,,,\r\n' +
        '\r\n' +
        '79,, 7 ,""," 0 ",null,null\r\n',
    );

    expect(errors).toEqual([]);
    expect(await rowsOf(bot.client, id)).toEqual([
      { id: 1, age: 1500, name: 'a "b",\r\nc', isAdmin: true, address: { x: [1] }, tags: [1, 2] },
      { id: 2, ...BLANK, name: null },
      { id: 3, ...BLANK, age: 7, name: '', isAdmin: false },
    ]);
  });

  it.each([
    ['semicolons', 'name;age\nAda;36\nBob;7\n'],
    ['tabs', 'name\tage\nAda\t36\nBob\t7'],
    ['lines that end as on old machines', 'name,age\rAda,36\rBob,7\r'],
    ['columns in another order, and some left out', 'age,name\n36,Ada\n7,Bob'],
    ['gzip, in several members', Buffer.concat([gzipSync('name,age\nAda,'), gzipSync('36\nBob,7\n')])],
  ])('accepts %s', async (_, content) => {
    const id = await table({ name: 'Ada', age: 36 });

    const { errors } = await importContent(bot, id, content);

    expect(errors).toEqual([]);
    expect(await rowsOf(bot.client, id)).toEqual([
      { id: 1, name: 'Ada', age: 36 },
      { id: 2, name: 'Bob', age: 7 },
    ]);
  });

  it.each([
    ['UTF-16', Buffer.from('\ufeffname,age\nŁódź 😀,36\n', 'utf16le'), 'Łódź 😀'],
    ['UTF-16 without a byte order mark', Buffer.from('name,age\nEve,36\n', 'utf16le').swap16(), 'Eve'],
    ['Shift_JIS', Buffer.from('6e616d652c6167650a8e5293632c33360a', 'hex'), '山田'],
    ['Windows-1251', Buffer.from('6e616d652c6167650ac8e2e0ed20cff3f8eae8ed2c33360a', 'hex'), 'Иван Пушкин'],
    ['Windows-1252', Buffer.from('name,age\nMüller,36\n', 'latin1'), 'Müller'],
    ['compressed UTF-16', gzipSync(Buffer.from('\ufeffname,age\nEve,36\n', 'utf16le')), 'Eve'],
  ])('decodes %s', async (_, content, name) => {
    const id = await table({ name: 'Ada', age: 36 });

    const { errors } = await importContent(bot, id, content);

    expect(errors).toEqual([]);
    expect(await rowsOf(bot.client, id)).toEqual([{ id: 1, name, age: 36 }]);
  });

  it('decodes JSON of UTF-16 in pieces that cut characters', async () => {
    const id = await table({ name: 'Ada', age: 36 });
    const rows = Array.from({ length: 9_000 }, (_, age) => ({ name: `x${'🚀'.repeat(10)}`, age }));

    const { errors } = await importContent(bot, id, Buffer.from(JSON.stringify(rows), 'utf16le'), 'x.json');

    expect(errors).toEqual([]);
    const { rows: last } = await bot.client.findTableRows({ table: id, filter: { age: 8_999 } });
    expect(last[0]).toMatchObject(rows.at(-1)!);
  });

  it('reports invalid rows in a file, line by line, and adds the others', async () => {
    const id = await table({ name: { type: 'string', nullable: false }, age: 36 });

    const { job, errors } = await importContent(
      bot,
      id,
      Buffer.concat([
        Buffer.from('name,age,color,born\nAda,old,red,1815\n,7,,\nBob,7,,,,\n"Eve\nÈéêëèéêëèéêë",1,,\n'),
        Buffer.from('M\xfcller,1,,\n', 'latin1'),
        Buffer.from(`${'x'.repeat(5_000)},1,,\nZoe,3,,\n`),
      ]),
    );

    expect(job.status).toBe('completed');
    expect(errors).toEqual([
      '1,2,"Unknown column ""color"" was ignored."',
      '1,2,"Unknown column ""born"" was ignored."',
      expect.stringMatching(/^1,2,.*age.*must be a number/),
      expect.stringMatching(/^2,3,.*name.*must have a value/),
      '3,4,"The row has 6 values, but the header line names 4 columns."',
      '5,7,The row is not UTF-8.',
      expect.stringMatching(/^6,8,The row has 50\d\d bytes/),
    ]);
    expect(await namesIn(id)).toEqual(['Eve\nÈéêëèéêëèéêë', 'Zoe']);
    const { files } = await bot.client.listFiles({});
    expect(files.map(({ key }) => key)).toContain(
      `tables/${(await bot.client.getTable({ table: id })).table.name}/import-${job.id}-errors.csv`,
    );
  });

  it.each([
    ['CSV', 'name,age,address\n9007199254740993,1,{}\na,9007199254740993,{}\nb,1e400,\n"c",1,"{""a"":[1e400]}"\n'],
    [
      'JSON',
      '{"name":"9007199254740993","age":1,"address":{}}\n{"age":9007199254740993}\n{"age":1e400}\n' +
        '{"address":{"a":[1e400]}}\n',
    ],
  ])('reports numbers in %s that a double cannot represent', async (format, content) => {
    const id = await table({ name: 'Ada', age: 36, address: {} });

    const { errors } = await importContent(bot, id, content, `numbers.${format.toLowerCase()}`);

    expect(errors).toEqual([
      expect.stringMatching(/^2,\d,age: The number has more digits than a double keeps\./),
      expect.stringMatching(/^3,\d,age: The number exceeds the range of a double\./),
      expect.stringMatching(/^4,\d,address\.a\.0: The number exceeds the range of a double\./),
    ]);
    expect(await namesIn(id)).toEqual(['9007199254740993']);
  });

  it('loses only the lines with broken quotes', async () => {
    const id = await table({ name: 'Ada', age: 36 });

    const { errors } = await importContent(
      bot,
      id,
      'name,age\nAda,36\n"closed" badly,1\nfine "as is",2\n"opened here,3\nBob,7\n"and here",4\nEve,9\n',
    );

    expect(errors).toEqual([
      expect.stringMatching(/^2,3,A closing quote/),
      expect.stringMatching(/^4,5,A closing quote/),
    ]);
    expect(await namesIn(id)).toEqual(['Ada', 'fine "as is"', 'Bob', 'and here', 'Eve']);
  });

  it('recovers from a quote that is never closed', async () => {
    const id = await table({ name: 'Ada', age: 36 });

    const { errors } = await importContent(bot, id, 'name,age\nAda,36\n"never,1\nBob,7\nEve,9');

    expect(errors).toEqual(['2,3,A value starts with an unclosed quote.']);
    expect(await namesIn(id)).toEqual(['Ada', 'Bob', 'Eve']);
  });

  it('stops when quotes are never closed in every line', { timeout: 120_000 }, async () => {
    const id = await table({ name: 'Ada', age: 36 });

    const { job, errors } = await importContent(bot, id, gzipSync(`name,age\n${'x"y,"a\n'.repeat(400_000)}`));

    expect(job.status).toBe('failed');
    expect(errors.at(-1)).toContain('too many unclosed quotes');
  });
});

describe('JSON', () => {
  const PEOPLE = [
    { name: 'Ada', age: 36 },
    { name: 'Bo"b}]', age: null },
  ];
  it.each([
    ['an array', JSON.stringify(PEOPLE)],
    ['an array in lines', JSON.stringify(PEOPLE, undefined, 2)],
    ['what an export makes', JSON.stringify({ table: { name: 'x', rows: [1] }, rows: PEOPLE, more: [] })],
    ['the rows alone', JSON.stringify({ rows: PEOPLE })],
    ['one object a line', PEOPLE.map(row => JSON.stringify(row)).join('\n')],
    ['objects in lines', PEOPLE.map(row => JSON.stringify(row, undefined, 1)).join('\r\n')],
    ['a mark at the beginning', `\ufeff${JSON.stringify(PEOPLE)}`],
  ])('is accepted as %s', async (_, content) => {
    const id = await table({ name: 'Ada', age: 36 });

    const { job, errors } = await importContent(bot, id, content, 'people.json');

    expect({ status: job.status, errors }).toEqual({ status: 'completed', errors: [] });
    expect(await rowsOf(bot.client, id)).toEqual(PEOPLE.map((row, i) => ({ id: i + 1, ...row })));
  });

  it('is detected by its first bytes despite another extension, compressed or not', async () => {
    const id = await table({ name: 'Ada', age: 36 });

    await importContent(bot, id, JSON.stringify(PEOPLE), 'people');
    await importContent(bot, id, gzipSync(JSON.stringify(PEOPLE)), 'people.bin');

    expect(await namesIn(id)).toEqual(['Ada', 'Bo"b}]', 'Ada', 'Bo"b}]']);
  });

  it('accepts rows and columns named like the keys of an export', async () => {
    const id = await table({ table: {}, rows: [] });
    const people = [
      { table: { a: 1 }, rows: [1] },
      { table: {}, rows: [] },
    ];

    const { errors } = await importContent(bot, id, people.map(row => JSON.stringify(row)).join('\n'), 'x.jsonl');

    expect(errors).toEqual([]);
    expect(await rowsOf(bot.client, id)).toEqual(people.map((row, i) => ({ id: i + 1, ...row })));
  });

  it('reports invalid rows, and adds the others', async () => {
    const id = await table({ name: 'Ada', age: 36 });

    const { errors } = await importContent(
      bot,
      id,
      '[{"name":"Ada","color":1},\n7,\n{"name":"x" "y"},{"name":8},\n[{}], {"name":"tr\n"},{"name":"Zoe","color":2}]',
      'x.json',
    );

    expect(errors).toEqual([
      '1,1,"Unknown column ""color"" was ignored."',
      '2,2,The row is not a JSON object.',
      '3,3,The row is not valid JSON.',
      expect.stringMatching(/^4,3,.*name.*must be a string/),
      '5,4,The row is not a JSON object.',
      '6,4,The row is not valid JSON.',
    ]);
    expect(await namesIn(id)).toEqual(['Ada', 'Zoe']);
  });

  it('loses only the broken lines', async () => {
    const id = await table({ name: 'Ada', age: 36 });
    const lines = ['{"name":"Ada"}', '{"name":"x', '{"name":"Bob"}', '{"name":', '{"name":"Eve"}', 'oops', '}', ''];

    const { errors } = await importContent(bot, id, lines.join('\n'), 'x.jsonl');

    expect(errors.map(line => line.split(',').slice(0, 2).join())).toEqual(['2,2', '4,4', '6,6', '7,7']);
    expect(await namesIn(id)).toEqual(['Ada', 'Bob', 'Eve']);
  });

  it('adds the complete rows of a truncated file', async () => {
    const id = await table({ name: 'Ada', age: 36 });

    const { errors } = await importContent(bot, id, '[{"name":"Ada"},\n{"name":"Bob', 'x.json');

    expect(errors).toEqual(['2,2,The file ends within its array of rows.']);
    expect(await namesIn(id)).toEqual(['Ada']);
  });
});

describe('a file that is not a table', () => {
  it.each([
    ['nothing', '', 'x.csv', /empty/],
    ['blank lines', '\n\r\n\n', 'x.csv', /empty/],
    ['a header of other columns', 'a,b\n1,2\n', 'x.csv', /names no column/],
    ['a header that names a column twice', 'name,age,name\n1,2,3\n', 'x.csv', /twice/],
    ['text that is to be JSON', 'name,age\nAda,36\n', 'x.json', /not JSON/],
    ['JSON without rows', '{"table":{},"rowz":[{}]}', 'x.json', /no array of rows/],
    ['gzip that is cut off', gzipSync('name,age\nAda,36\n'.repeat(100)).subarray(0, 40), 'x.csv.gz', /damaged/],
    [
      'random bytes',
      Buffer.from(Array.from({ length: 3_000 }, (_, i) => (i * 193) % 251)),
      'x',
      /encoding of the file cannot be determined/,
    ],
  ])('fails with %s, and stores the reason in a file', async (_, content, key, reason) => {
    const id = await table();

    // The client omits empty content.
    const file =
      content === ''
        ? await upload(bot.client, { key, content: gzipSync('') })
        : await upload(bot.client, { key, content });
    const { job } = await bot.client.importTable({ table: id, fileId: file.id });
    const end = await untilEnded(bot.client, job);

    expect(end.status).toBe('failed');
    expect((await recordOf(bot, job)).reason).toMatch(reason);
    expect((await errorsOf(bot.client, end)).at(-1)).toMatch(reason);
    expect(await rowsOf(bot.client, id)).toEqual([]);
  });

  it('adds nothing from an empty array or a file with only a header line', async () => {
    const id = await table();

    const csv = await importContent(bot, id, 'name,age');
    const json = await importContent(bot, id, '[ ]', 'x.json');

    expect([csv.job.status, json.job.status]).toEqual(['completed', 'completed']);
    expect(await rowsOf(bot.client, id)).toEqual([]);
  });

  const longPart = gzipSync(Buffer.alloc(50 * 1024 ** 2, 'x'));
  const longValues: [string, string, (long: Buffer) => Buffer[]][] = [
    ['a line', 'csv', (long: Buffer) => [Buffer.from('name,age\nAda,36\n'), long, Buffer.from('\nBob,7\n')]],
    [
      'a quoted value',
      'csv',
      (long: Buffer) => [Buffer.from('name,age\nAda,36\n"'), long, Buffer.from('",2\nBob,7\n')],
    ],
    [
      'an object',
      'json',
      (long: Buffer) => [Buffer.from('[{"name":"Ada"},{"name":"'), long, Buffer.from('"},{"name":"Bob"}]')],
    ],
    [
      'a JSON line',
      'jsonl',
      (long: Buffer) => [Buffer.from('{"name":"Ada"}\n{"name":"'), long, Buffer.from('"}\n{"name":"Bob"}\n')],
    ],
  ];
  it.each(sampled(longValues, 4, 3))(
    'skips %s that decompresses to 300 MB, in constant memory, and adds the others',
    { timeout: 120_000 },
    async (_, type, around) => {
      const id = await table({ name: 'Ada', age: 36 });
      const [head, , tail] = around(Buffer.alloc(0));
      const bomb = Buffer.concat([gzipSync(head!), ...Array.from({ length: 6 }, () => longPart), gzipSync(tail!)]);
      const peak = watchMemory();

      const { job, errors } = await importContent(bot, id, bomb, `bomb.${type}.gz`);

      expect({ status: job.status, errors }).toEqual({
        status: 'completed',
        errors: [expect.stringMatching(/^2,[123],The row is longer than 1048576 bytes\.$/)],
      });
      expect(await namesIn(id)).toEqual(['Ada', 'Bob']);
      expect(peak()).toBeLessThan(200 * 1024 ** 2);
    },
  );
});

/** @returns the maximum growth of memory outside the heap since the start */
function watchMemory() {
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }, 10);
  return () => {
    clearInterval(timer);
    return most;
  };
}

describe('a table with a key column', () => {
  it('adds no row whose key is taken, in the table or in the same file', async () => {
    const id = await table({ name: 'Ada', age: 36 }, { keyColumn: 'name' });
    await bot.client.createTableRows({ table: id, rows: [{ name: 'Ada', age: 1 }] });

    const { job, errors } = await importContent(bot, id, 'name,age\nBob,2\nAda,3\nBob,4\n,5\n,6\n');

    expect(job.status).toBe('completed');
    expect(errors).toEqual([
      expect.stringMatching(/^2,3,.*Ada.*already/),
      expect.stringMatching(/^3,4,.*Bob.*already/),
    ]);
    expect((await rowsOf(bot.client, id)).map(({ age }) => age)).toEqual([1, 2, 5, 6]);
  });
});

describe('computed columns', () => {
  it('is computed for imported rows', async () => {
    const double = computed('number', { action: 'code', code: 'row.age * 2', dependencies: ['age'] });
    const id = await table({ age: { type: 'number' }, double });

    await importContent(bot, id, 'age\n1\n2\n');

    await eventually(async () => expect((await rowsOf(bot.client, id)).map(row => row.double)).toEqual([2, 4]));
  });
});
