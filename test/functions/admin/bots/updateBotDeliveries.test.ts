import { afterEach, describe, expect, it } from 'vitest';
import { eventsOf, newAnsweringBot, pass, SECOND_MS, talk, textsOf } from '#test/support/deliveries.ts';
import { newWorkspace, settled, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const stopping: (() => void)[] = [];
afterEach(() => {
  for (const stop of stopping.splice(0)) stop();
});

async function newScene() {
  const workspace = await newWorkspace();
  const { bot } = await workspace.owner.client.createBot({});
  const send = (body: unknown) => workspace.call('PUT', `/bots/${bot.id}/deliveries`, { body });
  return { workspace, bot, send };
}

describe('PUT /v1/admin/bots/{id}/deliveries', () => {
  it('changes the given settings, restores defaults with null, and returns them with an empty body', async () => {
    const { send } = await newScene();

    const deliveries: unknown[] = [];
    for (const body of [{}, { attempts: 5 }, { withinSeconds: 60 }, {}, { attempts: null }]) {
      deliveries.push((await send(body)).body.deliveries);
    }

    expect(deliveries).toEqual([
      { attempts: 3, withinSeconds: 15 },
      { attempts: 5, withinSeconds: 15 },
      { attempts: 5, withinSeconds: 60 },
      { attempts: 5, withinSeconds: 60 },
      { attempts: 3, withinSeconds: 60 },
    ]);
  });

  it.each([
    ['attempts', 0],
    ['attempts', 11],
    ['attempts', 1.5],
    ['attempts', '3'],
    ['withinSeconds', 0],
    ['withinSeconds', 901],
  ])('returns 400 that names the field for %s: %j', async (field, value) => {
    const { send } = await newScene();

    const { status, body } = await send({ [field]: value });

    expect(status).toBe(400);
    expect(body).toMatchObject({ type: 'InvalidPayload', message: expect.stringContaining(field) });
  });

  it('returns 404 for a bot of another workspace', async () => {
    const [{ workspace }, { bot }] = [await newScene(), await newScene()];

    const { status } = await workspace.call('PUT', `/bots/${bot.id}/deliveries`, { body: { attempts: 2 } });

    expect(status).toBe(404);
  });

  it('writes an audit record, and keeps the settings when the bot is updated', async () => {
    const { workspace, bot, send } = await newScene();
    const { client } = workspace.owner;

    await send({ attempts: 7 });
    await client.updateBot({ id: bot.id, description: 'x' });

    expect((await send({})).body.deliveries).toEqual({ attempts: 7, withinSeconds: 15 });
    const { records } = await client.getAuditRecords({ id: workspace.id });
    expect(records).toContainEqual(expect.objectContaining({ resourceId: bot.id, value: 'deliveries: attempts' }));
  });

  it.each([
    [1, 5, 0],
    [4, 60, 60],
  ])('fails a bad event after %i attempts within %i seconds', async (attempts, withinSeconds, waitedSeconds) => {
    const { bot, endpoint } = await newAnsweringBot(text => (text === 'bad' ? 500 : 200));
    stopping.push(endpoint.stop);
    await bot.workspace.call('PUT', `/bots/${bot.id}/deliveries`, { body: { attempts, withinSeconds } });
    const { say } = await talk(bot);

    await say('bad');
    await say('good');
    await settled();
    await pass((waitedSeconds + 5) * SECOND_MS, 5 * SECOND_MS);

    expect(textsOf(endpoint)).toEqual([...Array(attempts).fill('bad'), 'good']);
    expect(await eventsOf(bot, 'failed')).toEqual([
      expect.objectContaining({ failureReason: expect.stringContaining(`after ${attempts} attempt`) }),
    ]);
  });
});
