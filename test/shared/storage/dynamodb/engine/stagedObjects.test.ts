/** Tests that no object remains without a record after a rejected write or a crash. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { requireTransaction } from '#shared/storage/dynamodb/engine/itemLimits.ts';
import { claimStage, listStages } from '#shared/storage/dynamodb/engine/stageCleanup.ts';
import { putStagedObject, stageObject } from '#shared/storage/dynamodb/engine/stagedObjects.ts';
import { unconditional, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { setQuota, type UsageType } from '#shared/storage/dynamodb/workspace/usage.ts';
import { newAssetKey, newFileObject, valuePrefix } from '#shared/storage/s3/prefixes.ts';
import { onCalls } from '#test/support/awsCalls.ts';
import { objectsOf, recordOf } from '#test/support/fileInternals.ts';
import { fetchContent, untilStatus, upload } from '#test/support/files.ts';
import { call, install, newBot, newUser, settled, type TestBot, usePlatform } from '#test/support/platform.ts';
import { newTable } from '#test/support/rowInternals.ts';
import { allObjects, stagedKeys, sweepTomorrow } from '#test/support/stagedObjects.ts';
import { contentOf, holdJobs, runHeld, takeHeld, untilEnded } from '#test/support/tableJobs.ts';

usePlatform();

const killed = () => Promise.reject(new Error('killed'));
afterEach(() => vi.restoreAllMocks());

/** Returns a text that is too large for an item, even compressed. */
const incompressible = () => randomBytes(450_000).toString('base64');

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});
beforeEach(async () => {
  await settled();
  await sweepTomorrow();
});

const limit = (type: UsageType, quota: number | undefined) => write([setQuota(bot.workspace.id, type, quota)]);

describe('a call over its quota', () => {
  const QUOTA_EXCEEDED = { status: 403, body: { type: 'QuotaExceeded' } };

  it.each([
    ['createBot with code', { code: 'export {}' }],
    ['createBot with a large definition', { configuration: { data: { text: incompressible() } } }],
  ])('writes no object in %s', async (_, body) => {
    await limit('bot_count', 1);
    const before = await allObjects();

    const answer = await bot.workspace.call('POST', '/bots', { body, headers: { 'idempotency-key': 'k'.repeat(32) } });

    expect(answer).toMatchObject(QUOTA_EXCEEDED);
    expect(answer.body.metadata).toEqual({ type: 'bot_count', quota: 1, value: 1 });
    expect(await allObjects()).toEqual(before);
    expect(await stagedKeys()).toEqual([]);
  });

  it.each(['icon', 'readme', 'code'])('writes no object in createIntegration with %s', async asset => {
    await limit('integrations_owned_count', 1);
    const before = await allObjects();
    const body = { name: 'more', version: '1.0.0', [asset]: Buffer.from('an asset').toString('base64') };

    const answer = await bot.workspace.call('POST', '/integrations', { body });

    expect(answer).toMatchObject(QUOTA_EXCEEDED);
    expect(await allObjects()).toEqual(before);
    expect(await stagedKeys()).toEqual([]);
  });

  it('writes no object in copyFile', async () => {
    await upload(bot.client, { key: 'source.txt', content: 'eight by' });
    await limit('storage_count', 15);
    await settled();
    const before = await allObjects();

    const answer = await bot.callFiles('POST', '/source.txt/copy.txt', { body: {} });

    expect(answer).toMatchObject(QUOTA_EXCEEDED);
    expect(await allObjects()).toEqual(before);
    expect(await stagedKeys()).toEqual([]);
    await limit('storage_count', undefined);
  });

  it('writes no object in exportTable', async () => {
    const table = await newTable(bot.client, { name: 'Ada' });
    await limit('storage_count', 1);
    await settled();
    const before = await allObjects();

    const job = await untilEnded(bot.client, (await bot.client.exportTable({ table: table.id })).job);

    expect(job.status).toBe('failed');
    expect(await allObjects()).toEqual(before);
    expect(await stagedKeys()).toEqual([]);
    await limit('storage_count', undefined);
  });
});

describe('a rejected call', () => {
  it('leaves assets of an integration whose name is taken until the sweep', async () => {
    await limit('integrations_owned_count', undefined);
    const body = { name: 'taken', version: '1.0.0', icon: Buffer.from('<svg/>').toString('base64') };
    await bot.workspace.call('POST', '/integrations', { body });
    const before = await allObjects();

    const answer = await bot.workspace.call('POST', '/integrations', { body });

    expect(answer).toMatchObject({ status: 409, body: { type: 'AlreadyExists' } });
    const left = (await allObjects()).filter(key => !before.includes(key));
    expect(left).toEqual([expect.stringMatching(/^assets\//)]);
    expect(await stagedKeys()).toEqual(left);
    expect(await sweepTomorrow()).toEqual({ removed: 1, isMoreLeft: false });
    expect(await allObjects()).toEqual(before);
    expect(await stagedKeys()).toEqual([]);
  });

  it('leaves the objects of the slower of two calls with an Idempotency-Key until the sweep', async () => {
    const installation = await install();
    const { client, key } = await newUser(installation);
    const { conversation } = await client.createConversation({});
    const payloadText = incompressible();
    const before = await allObjects();
    // Both calls put their messages before either puts its response.
    const bothMessages = Promise.withResolvers<void>();
    const bothAnswers = Promise.withResolvers<void>();
    onCalls({ command: 'PutObject' }, async (send, nth) => {
      const sent = await send();
      if (nth === 2) bothMessages.resolve();
      if (nth === 4) bothAnswers.resolve();
      await (nth <= 2 ? bothMessages : bothAnswers).promise;
      return sent;
    });
    const send = () =>
      call(`${installation.chatUrl}/messages`, {
        method: 'POST',
        key,
        headers: { 'idempotency-key': 'the-same-key' },
        body: { conversationId: conversation.id, payload: { type: 'text', text: payloadText } },
      });

    const answers = await Promise.all([send(), send()]);

    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[1].body).toEqual(answers[0].body);
    expect((await allObjects()).length).toBe(before.length + 4);
    expect(await stagedKeys()).toHaveLength(2);
    expect(await sweepTomorrow()).toEqual({ removed: 2, isMoreLeft: false });
    expect((await allObjects()).length).toBe(before.length + 2);
    const { message } = await client.getMessage({ id: answers[0].body.message.id });
    expect(message.payload).toMatchObject({ text: payloadText });
    expect((await send()).body).toEqual(answers[0].body);
  });
});

describe('a rejected file', () => {
  it('leaves the object of the slower of two copies to the same key until the sweep', async () => {
    await upload(bot.client, { key: 'raced.txt', content: 'hello' });
    await settled();
    const before = await allObjects();
    const bothAreCopied = Promise.withResolvers<void>();
    onCalls({ command: 'CopyObject' }, async (send, nth) => {
      const sent = await send();
      if (nth === 2) bothAreCopied.resolve();
      await bothAreCopied.promise;
      return sent;
    });
    const send = () => bot.callFiles('POST', '/raced.txt/copied.txt', { body: {} });

    const answers = await Promise.all([send(), send()]);

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await allObjects()).length).toBe(before.length + 2);
    expect(await stagedKeys()).toHaveLength(1);
    expect(await sweepTomorrow()).toEqual({ removed: 1, isMoreLeft: false });
    const { file } = answers.find(({ status }) => status === 201)!.body;
    expect((await fetchContent(file.url)).text).toBe('hello');
  });

  it('leaves nothing of an upload over the quota, because the stream deletes its copy', async () => {
    await limit('storage_count', 1);
    const { file } = await bot.client.uploadFile({ key: 'over.txt', content: 'too much' });
    await untilStatus(bot.client, file.id, 'upload_failed');
    await settled();

    expect(await objectsOf(bot.id, file.id)).toEqual([]);
    expect(await stagedKeys()).toEqual([]);
    await limit('storage_count', undefined);
  });
});

describe('a process that crashed before the write', () => {
  it('leaves the object of an export, which the next run commits', async () => {
    const table = await newTable(bot.client, { name: 'Ada' });
    const held = holdJobs();
    const { job } = await bot.client.exportTable({ table: table.id });
    const message = await takeHeld(held);
    onCalls({ command: 'TransactWriteItems', part: '#file_' }, (send, nth) => (nth === 1 ? killed() : send()));

    await expect(runHeld(message)).rejects.toThrow('killed');
    expect(await stagedKeys()).toEqual([expect.stringMatching(/^files\//)]);
    await runHeld(message, { attempt: 2 });
    await runHeld(await takeHeld(held));

    await untilEnded(bot.client, job);
    expect(await stagedKeys()).toEqual([]);
  });

  it('leaves an object until the sweep', async () => {
    const before = await allObjects();
    const keys = [newAssetKey(bot.id), newFileObject(bot.id, `file_${'0'.repeat(24)}`), `${valuePrefix(bot.id)}x`];
    for (const key of keys) await putStagedObject(key, Buffer.from('orphan'));

    expect(await sweepTomorrow()).toEqual({ removed: 3, isMoreLeft: false });

    expect(await allObjects()).toEqual(before);
    expect(await stagedKeys()).toEqual([]);
  });

  it('leaves only a stage if it crashed before writing the object', async () => {
    await stageObject(newAssetKey(bot.id));

    expect(await sweepTomorrow()).toEqual({ removed: 0, isMoreLeft: false });

    expect(await stagedKeys()).toEqual([]);
  });
});

describe('the sweep of committed objects, which have no stage,', () => {
  const survive = async () => {
    await settled();
    expect(await stagedKeys()).toEqual([]);
    const before = await allObjects();
    expect(await sweepTomorrow()).toEqual({ removed: 0, isMoreLeft: false });
    expect(await allObjects()).toEqual(before);
  };

  it('keeps a message, and its payload after an update', async () => {
    const { client } = bot;
    const { conversation } = await client.createConversation({ channel: 'channel', tags: {} });
    const [first, second] = [incompressible(), incompressible()];
    const { message } = await client.createMessage({
      conversationId: conversation.id,
      userId: bot.id,
      type: 'text',
      payload: { text: first },
      tags: {},
    });
    await survive();
    expect((await client.getMessage({ id: message.id })).message.payload).toEqual({ text: first });

    const updated = await client.updateMessage({ id: message.id, payload: { text: second }, tags: { mood: 'good' } });

    expect(updated.message).toMatchObject({ payload: { text: second }, tags: { mood: 'good' } });
    await survive();
    expect((await client.getMessage({ id: message.id })).message.payload).toEqual({ text: second });
  });

  it('keeps a state, an event, a workflow and a preference', async () => {
    const { client } = bot;
    const text = incompressible();
    await client.setState({ type: 'bot', id: bot.id, name: 'large', payload: { text } });
    const { event } = await client.createEvent({ type: 'large', payload: { text } });
    const { workflow } = await client.createWorkflow({ name: 'large', status: 'pending', input: { text } });
    await bot.workspace.owner.client.setWorkspacePreference({ key: 'large', value: { text } });

    await survive();

    const { state } = await client.getState({ type: 'bot', id: bot.id, name: 'large' });
    expect(state.payload).toEqual({ text });
    expect((await client.getEvent({ id: event.id })).event.payload).toEqual({ text });
    expect((await client.getWorkflow({ id: workflow.id })).workflow.input).toEqual({ text });
    const { value } = await bot.workspace.owner.client.getWorkspacePreference({ key: 'large' });
    expect(value).toEqual({ text });
  });

  it('keeps the code and the definition of a bot, and the icon of an integration', async () => {
    await limit('bot_count', undefined);
    const { owner } = bot.workspace;
    const data = { text: incompressible() };
    const created = await owner.client.createBot({ name: 'Large', code: 'export {}', configuration: { data } });
    // A concurrent deployment causes a retry, which leaves the first attempt's objects to the sweep.
    await settled();
    await owner.client.updateBot({ id: created.bot.id, code: 'export default 1' });
    await owner.client.createIntegration({
      name: 'drawn',
      version: '1.0.0',
      icon: Buffer.from('<svg/>').toString('base64'),
    });

    await survive();

    const { bot: found } = await owner.client.getBot({ id: created.bot.id });
    expect(found.configuration.data).toEqual(data);
    const assets = (await allObjects()).filter(key => key.startsWith(`assets/${found.id}/`));
    // The code of the bot, and of the version of each deployment.
    expect(assets).toHaveLength(3);
  });

  it('keeps an upload, its copy and an export', async () => {
    const { client } = bot;
    await upload(client, { key: 'a.txt', content: 'hello' });
    const { file } = await client.copyFile({ idOrKey: 'a.txt', destinationKey: 'b.txt' });
    const table = await newTable(client, { name: 'Ada' });
    await client.createTableRows({ table: table.id, rows: [{ name: 'Ada' }] });
    const { outputFileId } = await untilEnded(client, (await client.exportTable({ table: table.id })).job);

    await survive();

    expect((await fetchContent(file.url)).text).toBe('hello');
    expect((await contentOf(client, outputFileId!)).bytes.toString()).toContain('Ada');
  });

  it('keeps an upload that another process staged again after it was accepted', async () => {
    const { id, url } = await upload(bot.client, { key: 'late.txt', content: 'hello' });
    const { content } = await recordOf(bot.id, id);
    await stageObject(content!.object);

    expect(await sweepTomorrow()).toEqual({ removed: 0, isMoreLeft: false });

    expect(await stagedKeys()).toEqual([]);
    expect((await fetchContent(url)).text).toBe('hello');
  });
});

describe('a write', () => {
  it('finds the key of an object at any depth, and next to a text that contains it', async () => {
    const [deep, inText] = [newAssetKey(bot.id), newAssetKey(bot.id)];
    await stageObject(deep);
    await stageObject(inText);
    const Item = {
      pk: `${bot.id}#states`,
      sk: 'state#test',
      list: [{ at: { object: deep } }],
      text: `{"a":"${inText}"}`,
    };

    await write([{ put: { Item }, onRefused: unconditional }]);
    expect(await stagedKeys()).toEqual([inText]);

    await write([{ put: { Item }, onRefused: unconditional }], [inText]);
    expect(await stagedKeys()).toEqual([]);
  });

  it('leaves the stage if it is rejected', async () => {
    const key = newAssetKey(bot.id);
    await stageObject(key);
    const put = {
      Item: { pk: `${bot.id}#states`, sk: 'state#refused', o: key },
      ConditionExpression: 'attribute_exists(pk)',
    };

    await expect(write([{ put, onRefused: () => new Error('refused') }])).rejects.toThrow('refused');

    expect(await stagedKeys()).toEqual([key]);
  });

  it('includes removed stages in its 100 parts', async () => {
    const keys = Array.from({ length: 51 }, () => newAssetKey(bot.id));
    for (const key of keys) await stageObject(key);
    const parts = keys.map((o, i) => ({
      put: { Item: { pk: `${bot.id}#states`, sk: `state#${i}`, o } },
      onRefused: unconditional,
    }));

    await expect(write(parts)).rejects.toMatchObject({ type: 'LimitExceeded' });

    expect(() => requireTransaction(parts)).not.toThrow();
    expect(await stagedKeys()).toHaveLength(51);
  });
});

describe('the sweep', () => {
  const stageOf = async (key: string) => {
    for await (const stage of listStages(Number.MAX_SAFE_INTEGER)) if (stage.object === key) return stage;
    throw new Error(`No stage of ${key}.`);
  };

  it('keeps objects that were staged again since the poll', async () => {
    const key = newAssetKey(bot.id);
    await stageObject(key);
    const stage = await stageOf(key);
    clock.advance(1);
    await stageObject(key);

    expect(await claimStage(stage)).toBe(false);
  });

  it('prevents staging of objects under deletion', async () => {
    const key = newAssetKey(bot.id);
    await stageObject(key);

    expect(await claimStage(await stageOf(key))).toBe(true);

    await expect(stageObject(key)).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
  });
});
