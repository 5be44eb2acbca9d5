/** Tests columns computed by code, by a language model, and by workflows of the bot. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MODEL_VARIABLES } from '#shared/ai/languageModels/chooseModel.ts';
import { QUEUES } from '#shared/storage/queues/queueSettings.ts';
import { type Stub, startStub } from '#test/shared/ai/stubServer.ts';
import { eventually, newBot, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import {
  cellsOf,
  computed,
  expectCounts,
  holdRowJobs,
  newTable,
  redeliverChanges,
  runRowJob,
  untilComputed,
} from '#test/support/rowInternals.ts';
import { isComplete } from '#test/support/tier.ts';

useSharedPlatform();

let bot: TestBot;
let model: Stub;
/** The model's response to a prompt. */
let answer: (prompt: string) => string;
/** A callback that runs once, during a call. */
let whileAsked: (() => Promise<void>) | undefined;

beforeAll(async () => {
  model = await startStub(({ body }) => ({
    status: 200,
    body: { choices: [{ message: { role: 'assistant', content: answer(body.messages.at(-1).content) } }] },
  }));
});
afterAll(() => model.stop());
beforeEach(async () => {
  bot = await newBot();
  whileAsked = undefined;
  const { fetch } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...given) => {
    const act = whileAsked;
    if (!String(given[0]).startsWith(model.endpoint) || !act) return fetch(...given);
    whileAsked = undefined;
    await act();
    return fetch(...given);
  });
  answer = () => 'an answer';
  model.requests.length = 0;
  model.failures.length = 0;
  process.env[MODEL_VARIABLES.model] = 'openai:llama';
  process.env[MODEL_VARIABLES.url] = `${model.endpoint}/v1`;
});
afterEach(async () => {
  vi.restoreAllMocks();
  // Pending jobs would call the model during the next test.
  await settled();
  for (const name of Object.values(MODEL_VARIABLES)) delete process.env[name];
});

const code = (type: string, text: string, dependencies?: string[]) =>
  computed(type, { action: 'code', code: text, ...(dependencies ? { dependencies } : {}) });

/** Creates a row and waits for it, as the official client does. */
async function create(table: string, row: Record<string, unknown>) {
  const { rows, errors } = await bot.client.createTableRows({ table, rows: [row], waitComputed: true });
  expect(errors).toBeUndefined();
  return rows[0]!;
}
const update = async (table: string, row: { id: number; [column: string]: unknown }) =>
  (await bot.client.updateTableRows({ table, rows: [row], waitComputed: true })).rows[0]!;

describe('a column that code computes', () => {
  it('is returned to a waiting caller, with its source', async () => {
    const { id: table } = await newTable(bot.client, { n: 1, double: code('number', 'row.n * 2') });

    const row = await create(table, { n: 21 });

    expect(row).toMatchObject({ n: 21, double: 42, stale: [] });
    expect(row.computed.double).toMatchObject({ status: 'completed', updatedBy: 'code' });
    await expectCounts(bot.client, table, { rows: 1 });
  });

  it('is computed after its dependencies, and again when they change', async () => {
    const { id: table } = await newTable(bot.client, {
      c: code('string', 'return row.b + "!"', ['b']),
      b: code('number', 'row.a + 1', ['a']),
      a: 1,
    });

    expect(await create(table, { a: 1 })).toMatchObject({ a: 1, b: 2, c: '2!' });
    expect(await update(table, { id: 1, a: 10 })).toMatchObject({ a: 10, b: 11, c: '11!' });
  });

  it('has a reason instead of a value if the code fails, returns another type, or returns too much', async () => {
    const { id: table } = await newTable(bot.client, {
      a: '',
      throws: code('number', 'null.x'),
      other: code('number', '"text"'),
      large: code('string', '"x".repeat(5000)'),
      after: code('number', 'row.throws + 1', ['throws']),
      fine: code('number', '7'),
    });

    const row = await create(table, { a: 'a' });

    expect(row).toMatchObject({ throws: null, other: null, large: null, after: null, fine: 7, stale: [] });
    for (const name of ['throws', 'other', 'large', 'after']) expect(row.computed[name]!.status).toBe('failed');
    expect(row.computed.other!.error).toContain('must be a number');
    expect(row.computed.large!.error).toContain('4096');
    expect(row.computed.after!.error).toContain('"throws"');
    await expectCounts(bot.client, table, { rows: 1 });
  });

  it('is terminated if it does not end, without affecting other columns', async () => {
    const { id: table } = await newTable(bot.client, {
      a: 1,
      endless: code('number', 'for (;;) {}'),
      fine: code('number', 'row.a'),
    });

    const row = await create(table, { a: 3 });

    expect(row).toMatchObject({ endless: null, fine: 3 });
    expect(row.computed.endless!.status).toBe('failed');
  });

  it("keeps a caller's value until its dependencies change", async () => {
    const { id: table } = await newTable(bot.client, { a: 1, b: code('number', 'row.a + 1', ['a']), other: '' });
    await create(table, { a: 1 });

    const given = await update(table, { id: 1, b: 99 });
    const same = await update(table, { id: 1, other: 'x' });
    const anew = await update(table, { id: 1, a: 2 });

    expect([given.b, same.b, anew.b]).toEqual([99, 99, 3]);
    expect(given.computed.b).toMatchObject({ status: 'completed', updatedBy: 'user' });
  });

  it('converges to the latest value despite concurrent changes of the row', async () => {
    const { id: table } = await newTable(bot.client, { a: 0, b: code('number', 'row.a * 10', ['a']) });
    await create(table, { a: 0 });

    await Promise.all(
      Array.from({ length: 20 }, (_, i) => bot.client.updateTableRows({ table, rows: [{ id: 1, a: i + 1 }] })),
    );

    const row = await untilComputed(bot.client, table, 1);
    expect(row.b).toBe((row.a as number) * 10);
    await expectCounts(bot.client, table, { rows: 1 });
  });

  it('is computed for hundreds of rows', { timeout: 60_000 }, async () => {
    const ROWS = isComplete ? 1_000 : 300;
    const { id: table } = await newTable(bot.client, { a: 0, b: code('number', 'row.a + 1') });

    await bot.client.createTableRows({ table, rows: Array.from({ length: ROWS }, (_, a) => ({ a })) });

    await eventually(() => expectCounts(bot.client, table, { rows: ROWS }), 50_000);
    const { rows } = await bot.client.findTableRows({ table, limit: 1_000 });
    expect(rows.every(row => row.b === (row.a as number) + 1)).toBe(true);
  });

  it('continues in another job after a timeout', async () => {
    const { id: table } = await newTable(bot.client, { a: 0, b: code('number', 'row.a + 1') });
    const held = holdRowJobs();
    await bot.client.createTableRows({ table, rows: [{ a: 1 }, { a: 2 }] });
    await eventually(async () => expect(held).not.toEqual([]));
    vi.restoreAllMocks();

    await runRowJob({ botId: bot.id, tableId: table, ids: [1, 2] }, { timeMs: 0 });

    expect(await untilComputed(bot.client, table, 1)).toMatchObject({ b: 2 });
    expect(await untilComputed(bot.client, table, 2)).toMatchObject({ b: 3 });
  });

  it('ignores deleted rows, columns and tables', async () => {
    const { id: table } = await newTable(bot.client, { a: 0, b: code('number', 'row.a + 1') });
    const held = holdRowJobs();
    await bot.client.createTableRows({ table, rows: [{ a: 1 }, { a: 2 }] });
    await eventually(async () => expect(held).not.toEqual([]));
    await bot.client.deleteTableRows({ table, ids: [1] });
    await bot.client.updateTable({ table, schema: { b: null } });

    await runRowJob({ botId: bot.id, tableId: table, ids: [1, 2, 3] });
    await bot.client.deleteTable({ table });
    await runRowJob({ botId: bot.id, tableId: table, ids: [1, 2, 3] });
    await runRowJob({ botId: '00000000-0000-4000-8000-000000000000', tableId: table, ids: [1] });
  });
});

describe('a column that is not computed', () => {
  it('is not awaited, and is computed once enabled again', async () => {
    const { id: table } = await newTable(bot.client, { a: 0, b: code('number', 'row.a + 1') });
    const held = holdRowJobs();
    await bot.client.createTableRows({ table, rows: [{ a: 1 }] });
    await eventually(async () => expect(held).not.toEqual([]));
    await bot.client.updateTable({ table, isComputeEnabled: false });

    await runRowJob({ botId: bot.id, tableId: table, ids: [1] });

    const row = await cellsOf(bot.client, table, 1);
    expect(row).toMatchObject({ b: null, stale: [], computed: {} });
    await expectCounts(bot.client, table, { rows: 1 });
    vi.restoreAllMocks();
    await bot.client.updateTable({ table, isComputeEnabled: true });
    await eventually(async () => expect(await cellsOf(bot.client, table, 1)).toMatchObject({ b: 2, stale: [] }));
  });
});

describe('a column that a language model computes', () => {
  const ai = (type: string, more: object = {}, dependencies?: string[]) =>
    computed(type, { action: 'ai', prompt: 'What mood is it?', ...(dependencies ? { dependencies } : {}) }, more);

  it("contains the model's response to its prompt and dependencies", async () => {
    const { id: table } = await newTable(bot.client, { text: '', secret: '', mood: ai('string', {}, ['text']) });
    answer = () => ' happy\n';

    const row = await create(table, { text: 'Hooray', secret: 'hidden' });

    expect(row).toMatchObject({ mood: 'happy' });
    expect(row.computed.mood).toMatchObject({ status: 'completed', updatedBy: 'ai:llama' });
    expect(model.requests).toHaveLength(1);
    const { path, body } = model.requests[0]!;
    expect(path).toBe('/v1/chat/completions');
    expect(body.model).toBe('llama');
    expect(body.messages[1].content).toContain('What mood is it?');
    expect(body.messages[1].content).toContain('{"text":"Hooray"}');
    expect(JSON.stringify(body)).not.toContain('hidden');
  });

  it.each([
    ['number', ' 4.5', 4.5],
    ['boolean', 'true', true],
    ['object', '```json\n{"a": [1]}\n```', { a: [1] }],
    ['array', '[1, 2]', [1, 2]],
    ['number', 'null', null],
  ])('parses the response as its type: %s from %j', async (type, text, value) => {
    const { id: table } = await newTable(bot.client, { text: '', x: ai(type) });
    answer = () => text;

    expect((await create(table, { text: 'a' })).x).toEqual(value);
  });

  it.each([
    ['number', {}, 'about five'],
    ['number', {}, '"5"'],
    ['string', { enum: ['happy', 'sad'] }, 'tired'],
    ['string', { nullable: false }, ''],
    ['string', { format: 'date-time' }, 'yesterday'],
  ])('fails if the response is not a %s with %j: %j', async (type, more, text) => {
    const { id: table } = await newTable(bot.client, { text: '', x: ai(type, more) });
    answer = () => text;

    const row = await create(table, { text: 'a' });

    expect(row.x).toBeNull();
    expect(row.computed.x).toMatchObject({ status: 'failed', updatedBy: 'ai:llama' });
    expect(row.computed.x!.error).toBeTruthy();
  });

  it("uses the configured model instead of the column's", async () => {
    const how = { action: 'ai', prompt: 'What?', model: 'large' };
    const { id: table } = await newTable(bot.client, { text: '', x: computed('string', how) });

    const row = await create(table, { text: 'a' });

    expect(row.computed.x!.updatedBy).toBe('ai:llama');
    expect(model.requests[0]!.body.model).toBe('llama');
  });

  it('counts as ai_spend, and fails without a call once the spendingLimit is reached', async () => {
    process.env[MODEL_VARIABLES.inputPrice] = '1000';
    process.env[MODEL_VARIABLES.outputPrice] = '2000';
    const { owner, id } = bot.workspace;
    const { id: table } = await newTable(bot.client, { text: '', x: ai('string') });
    await create(table, { text: 'a' });
    const { usage } = await owner.client.getUsage({ id: bot.id, type: 'ai_spend' });
    await owner.client.updateWorkspace({ id, spendingLimit: 1 });

    const row = await create(table, { text: 'b' });

    expect(usage.value).toBeGreaterThan(0);
    expect(row.computed.x).toMatchObject({ status: 'failed', error: expect.stringContaining('spendingLimit') });
    expect(model.requests).toHaveLength(1);
  });

  it('fails without a retry when the model rejects the request', async () => {
    const { id: table } = await newTable(bot.client, { text: '', x: ai('string') });
    model.failures.push({ status: 400, body: { error: 'too long' } });

    const row = await create(table, { text: 'a' });

    expect(row.computed.x!.error).toContain('too long');
    await settled();
    expect(model.requests).toHaveLength(1);
  });

  it('fails without a configured model', async () => {
    delete process.env[MODEL_VARIABLES.model];
    const { id: table } = await newTable(bot.client, { text: '', x: ai('string') });

    expect((await create(table, { text: 'a' })).computed.x!.error).toContain(
      'No language model is configured: set MODEL',
    );
  });

  it("uses the column's definition at the time of the call", async () => {
    const text = (prompt: string) => computed('string', { action: 'ai', prompt });
    const { id: table } = await newTable(bot.client, { a: '', x: text('First?') });
    const held = holdRowJobs();
    await bot.client.createTableRows({ table, rows: [{ a: 'a' }] });
    await eventually(async () => expect(held).not.toEqual([]));
    answer = prompt => (prompt.startsWith('First?') ? 'first' : 'second');
    whileAsked = async () => {
      await bot.client.updateTable({ table, schema: { x: text('Second?') } });
      await settled();
    };

    await runRowJob({ botId: bot.id, tableId: table, ids: [1] });
    vi.restoreAllMocks();
    await runRowJob({ botId: bot.id, tableId: table, ids: [1] });

    expect(await untilComputed(bot.client, table, 1)).toMatchObject({ x: 'second', stale: [] });
    await expectCounts(bot.client, table, { rows: 1 });
  });

  it('retries while the service is unavailable, then fails without affecting other rows', async () => {
    const { id: table } = await newTable(bot.client, { text: '', x: ai('string') });
    const held = holdRowJobs();
    await bot.client.createTableRows({ table, rows: [{ text: 'a' }, { text: 'b' }] });
    await eventually(async () => expect(held).not.toEqual([]));
    const job = { botId: bot.id, tableId: table, ids: [1, 2] };
    const busy = { status: 503, body: {}, headers: { 'retry-after': '3600' } };

    model.failures.push(busy);
    await expect(runRowJob(job)).rejects.toThrow('throttled or unavailable');
    const states = async () =>
      Promise.all([1, 2].map(async id => (await cellsOf(bot.client, table, id)).computed.x!.status));
    expect((await states()).sort()).toEqual(['completed', 'pending']);

    model.failures.push(busy);
    await runRowJob(job, { attempt: QUEUES.rows.maxReceives });
    expect((await states()).sort()).toEqual(['completed', 'failed']);
    expect(model.requests).toHaveLength(3);
  });
});

describe('a column that a workflow computes', () => {
  const flow = (type: string, dependencies?: string[]) =>
    computed(type, { action: 'workflow', workflowId: 'rate', ...(dependencies ? { dependencies } : {}) });
  const workflows = async () => (await bot.client.listWorkflows({ name: 'rate' })).workflows;
  const started = (count = 1) =>
    eventually(async () => {
      const all = await workflows();
      expect(all).toHaveLength(count);
      return all[0]!;
    });
  const end = (id: string, change: Omit<Parameters<TestBot['client']['updateWorkflow']>[0], 'id'>) =>
    bot.client.updateWorkflow({ id, ...change });

  it("contains the workflow's output, validated by type, and is an input of its dependents", async () => {
    const { id: table, name } = await newTable(bot.client, {
      a: '',
      stars: flow('number', ['a']),
      text: code('string', '"*".repeat(row.stars)', ['stars']),
    });
    await bot.client.createTableRows({ table, rows: [{ a: 'good' }] });

    const workflow = await started();
    expect(workflow).toMatchObject({
      status: 'pending',
      input: { tableId: table, tableName: name, rowId: 1, column: 'stars', row: { id: 1, a: 'good' } },
    });
    expect((await cellsOf(bot.client, table, 1)).stale).toEqual(['stars', 'text']);
    await end(workflow.id, { status: 'completed', output: { value: 3 } });

    const row = await untilComputed(bot.client, table, 1);
    expect(row).toMatchObject({ stars: 3, text: '***' });
    expect(row.computed.stars).toMatchObject({ status: 'completed', updatedBy: `workflow:${workflow.id}` });
    await expectCounts(bot.client, table, { rows: 1 });
  });

  it('contains the complete output if the output has no value', async () => {
    const { id: table } = await newTable(bot.client, { a: '', x: flow('object') });
    await bot.client.createTableRows({ table, rows: [{ a: 'a' }] });

    await end((await started()).id, { status: 'completed', output: { stars: 3 } });

    expect(await untilComputed(bot.client, table, 1)).toMatchObject({ x: { stars: 3 } });
  });

  it.each([
    [{ status: 'failed', failureReason: 'out of stars' } as const, 'out of stars'],
    [{ status: 'cancelled' } as const, 'cancelled'],
    [{ status: 'completed', output: { value: 'many' } } as const, 'must be a number'],
  ])('fails with %j', async (change, reason) => {
    const { id: table } = await newTable(bot.client, { a: '', x: flow('number') });
    await bot.client.createTableRows({ table, rows: [{ a: 'a' }] });

    await end((await started()).id, change);

    const row = await untilComputed(bot.client, table, 1);
    expect(row.computed.x!.status).toBe('failed');
    expect(row.computed.x!.error).toContain(reason);
  });

  it("fails when the output exceeds the row's limit", async () => {
    const { id: table } = await newTable(bot.client, { a: '', x: flow('string') });
    await bot.client.createTableRows({ table, rows: [{ a: 'a' }] });

    await end((await started()).id, { status: 'completed', output: { value: 'x'.repeat(400_000) } });

    expect((await untilComputed(bot.client, table, 1)).computed.x!.error).toContain('4096');
  });

  it('fails when the workflow is deleted', async () => {
    const { id: table } = await newTable(bot.client, { a: '', x: flow('number') });
    await bot.client.createTableRows({ table, rows: [{ a: 'a' }] });

    await bot.client.deleteWorkflow({ id: (await started()).id });

    expect((await untilComputed(bot.client, table, 1)).computed.x!.error).toContain('deleted');
  });

  it('starts one workflow for repeated jobs and changes', async () => {
    redeliverChanges(3);
    const { id: table } = await newTable(bot.client, { a: '', other: '', x: flow('number', ['a']) });
    await bot.client.createTableRows({ table, rows: [{ a: 'a' }] });

    const { id } = await started();
    await Promise.all(Array.from({ length: 5 }, () => runRowJob({ botId: bot.id, tableId: table, ids: [1] })));
    await bot.client.updateTableRows({ table, rows: [{ id: 1, other: 'changed' }] });
    await settled();

    expect(await workflows()).toHaveLength(1);
    await end(id, { status: 'completed', output: { value: 1 } });
    expect(await untilComputed(bot.client, table, 1)).toMatchObject({ x: 1, other: 'changed' });
  });

  it('starts another workflow when dependencies change, and ignores the output of the previous one', async () => {
    const { id: table } = await newTable(bot.client, { a: '', x: flow('number', ['a']) });
    await bot.client.createTableRows({ table, rows: [{ a: 'a' }] });
    const before = await started();

    await bot.client.updateTableRows({ table, rows: [{ id: 1, a: 'b' }] });
    await started(2);
    await end(before.id, { status: 'completed', output: { value: 1 } });
    await settled();

    expect(await cellsOf(bot.client, table, 1)).toMatchObject({ x: null, stale: ['x'] });
    const now = (await workflows()).find(({ id }) => id !== before.id)!;
    await end(now.id, { status: 'completed', output: { value: 2 } });
    expect(await untilComputed(bot.client, table, 1)).toMatchObject({ x: 2 });
  });
});
