/** Tests that code that tampers with its process affects only its own calls. */
import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { callCode } from '#shared/outbound/code/callCode.ts';
import { afterRollout } from '#test/support/deployedCode.ts';
import { isLeftOut, newBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

/** Runs a statement in the code's process before it responds to events. */
const tampering = (statement: string, answer = `{ body: JSON.stringify({ output: { is: 'fine' } }) }`) =>
  `exports.handler = async ({ headers }) => {
    if (['ping', 'register'].includes(headers['x-bp-operation'])) return { body: '{}' };
    ${statement}
    return ${answer};
  };`;

async function deployed(code: string) {
  const startMs = clock.now();
  const bot = await newBot();
  const { client } = bot.workspace.owner;
  await client.updateBot({ id: bot.id, code });
  const running = await afterRollout({ kind: 'bot', id: bot.id });
  expect(running).toBeDefined();
  return {
    bot,
    call: () => callCode({ kind: 'bot', id: bot.id }, running!, { headers: {}, body: '' }),
    act: () => bot.call('POST', '/actions', { body: { type: 'act', input: {} } }),
    /** Returns the messages of the log, each dated within the test. */
    logged: async () => {
      const { logs } = await client.getBotLogs({ id: bot.id, timeStart: new Date(startMs - 1_000).toISOString() });
      for (const { timestamp } of logs) expect(Date.parse(timestamp)).toBeLessThanOrEqual(clock.now());
      return logs.map(({ message }) => message);
    },
  };
}

/** Replaces the process's response by a text. */
const sends = (text: string) => tampering(`JSON.stringify = () => ${JSON.stringify(text)};`, `{ body: '' }`);

describe('a response that the host did not create', () => {
  const INVALID = {
    'no JSON': 'answer}',
    'a number': '7',
    'a list': '[]',
    'a response that is a number': '{"response":7}',
    'a response that is null': '{"response":null,"printed":[],"dropped":0}',
    'a status out of range': '{"response":{"status":42},"printed":[],"dropped":0}',
    'a status that is a text': '{"response":{"status":"200"},"printed":[],"dropped":0}',
    'a body that is an object': '{"response":{"body":{}},"printed":[],"dropped":0}',
    'a header of two lines': '{"response":{"headers":{"x-a":"b\\r\\nset-cookie: c"}},"printed":[],"dropped":0}',
    'the name of a header with a space': '{"response":{"headers":{"x a":"b"}},"printed":[],"dropped":0}',
    'headers of 20 KB': `{"response":{"headers":{"x-a":"${'a'.repeat(20_000)}"}},"printed":[],"dropped":0}`,
  };
  for (const [name, text] of Object.entries(INVALID)) {
    it(`fails the call, and is named in the log: ${name}`, async () => {
      const { call, logged } = await deployed(sends(text));

      expect(await call()).toMatchObject({
        kind: 'crashed',
        reason: expect.stringContaining('The code returned an invalid response'),
      });

      expect((await logged()).at(-1)).toContain('The code returned an invalid response');
    });
  }

  it('is an error of the action, not of the platform', async () => {
    const { act, logged } = await deployed(sends('{"response":{"status":42},"printed":[],"dropped":0}'));

    expect(await act()).toMatchObject({
      status: 400,
      body: {
        type: 'Runtime',
        message:
          'The action act failed: The code returned an invalid response: status must be an integer from 200 to 599.',
      },
    });

    expect(await logged()).toContain(
      'The code returned an invalid response: status must be an integer from 200 to 599.',
    );
  });

  it('returns valid lines and counts invalid ones as dropped', async () => {
    const printed = [
      { level: 'info', text: 'kept', agoMs: 0 },
      { level: 'fatal', text: 'of an unknown level', agoMs: 0 },
      { level: 'info', text: { nested: true }, agoMs: 0 },
      null,
      ...Array.from({ length: 200 }, () => ({ level: 'info', text: 'x', agoMs: 0 })),
    ];
    const { call, logged } = await deployed(
      sends(JSON.stringify({ response: { body: 'fine' }, printed, dropped: -5 })),
    );

    expect(await call()).toMatchObject({ kind: 'answered', status: 200, text: 'fine' });

    const messages = await logged();
    expect(messages).toContain('kept');
    expect(messages.filter(message => message === 'x')).toHaveLength(96);
    expect(messages.at(-1)).toContain('107 more lines were dropped');
  });

  it("uses the call's time for lines, regardless of their timestamps", async () => {
    const ages = [-8e12, 8e12, 1e300, -1e300];
    const printed = ages.map((agoMs, i) => ({ level: 'info', text: `line ${i}`, agoMs, atMs: 8e12 }));
    const { call, logged } = await deployed(sends(JSON.stringify({ response: {}, printed, dropped: 0 })));

    await call();

    expect((await logged()).slice(-4)).toEqual(['line 0', 'line 1', 'line 2', 'line 3']);
  });

  it('is stored without lone surrogates', async () => {
    const { call, logged } = await deployed(
      sends(String.raw`{"error":"a\ud800","printed":[{"level":"info","text":"b\ud800","agoMs":0}],"dropped":0}`),
    );

    expect(await call()).toEqual({ kind: 'crashed', reason: 'a\ufffd' });

    expect(await logged()).toContain('b\ufffd');
  });
});

describe('code that changes the intrinsics of its process', () => {
  const CHANGES = {
    'the clock': 'Date.now = () => 8e12; performance.now = () => -8e12; globalThis.Date = undefined;',
    'toJSON of lists and objects':
      'Array.prototype.toJSON = () => 7; Object.defineProperty(Object.prototype, "toJSON", { get: () => () => 7, set() {} });',
    'methods of lists and texts':
      'Array.prototype.push = Array.prototype.slice = Array.prototype.map = () => []; String.prototype.slice = () => ({});',
    'setters of lists': 'Object.defineProperty(Array.prototype, "0", { set() {}, get: () => 7 });',
    'prototypes by assignment': 'Object.prototype.error = "no"; Object.prototype.dropped = "no";',
  };
  for (const [name, statement] of Object.entries(CHANGES)) {
    it(`responds and logs as usual: ${name}`, async () => {
      const { act, logged } = await deployed(
        tampering(`${statement} console.log('printed');`, `{ body: '{"output":{"is":"fine"}}' }`),
      );

      expect(await act()).toMatchObject({ status: 200, body: { output: { is: 'fine' } } });

      expect(await logged()).toContain('printed');
    });
  }
});

describe('output that bypasses the console', () => {
  it('terminates the process beyond 2 MB per call, and logs only the termination', async () => {
    const { call, logged } = await deployed(
      tampering(
        `for (let i = 0; i < 100; i++) process.stdout.write('y'.repeat(100_000) + '\\n'); await new Promise(() => {});`,
      ),
    );

    expect(await call()).toEqual({
      kind: 'crashed',
      reason: 'The code failed with an error: The process printed more than 2 MB in one call',
    });

    expect((await logged()).join('').length).toBeLessThan(10_000);
  });

  it('is not logged when the call succeeds', async () => {
    const { call, logged } = await deployed(tampering(`process.stdout.write('beside the console\\n'.repeat(1_000));`));

    expect(await call()).toMatchObject({ kind: 'answered' });

    expect((await logged()).join('\n')).not.toContain('beside the console');
  });

  it('leaves the end of wide-character output that fits in a response', async () => {
    const { call } = await deployed(
      tampering(`process.stdout.write('€'.repeat(20_000), () => process.exit(3)); await new Promise(() => {});`),
    );

    expect(await call()).toEqual({ kind: 'crashed', reason: 'The code exited its process (exit status 3)' });
  });

  it('is truncated in an error', async () => {
    const { call } = await deployed(
      tampering(`setTimeout(() => { throw new Error('z'.repeat(1e6)); });`, 'new Promise(() => {})'),
    );

    const outcome = await call();

    expect(outcome).toMatchObject({ kind: 'crashed', reason: expect.stringContaining('zzz') });
    expect(JSON.stringify(outcome).length).toBeLessThan(2_000);
  });
});

describe('code that impersonates its runtime', () => {
  const SPOKEN = {
    'no JSON': 'garbage\\n',
    'a message of an unknown kind': '{"kind":"stop"}\\n',
    'an answer without a payload': '{"kind":"answer","id":2}\\n',
    'an answer to another call': '{"kind":"answer","id":99,"payload":"{}"}\\n',
    'a second start': '{"kind":"ready"}\\n',
  };
  for (const [name, text] of Object.entries(SPOKEN)) {
    it(`terminates its own process only: ${name}`, async () => {
      const { call } = await deployed(
        tampering(`require('node:fs').writeSync(3, '${text}'); await new Promise(() => {});`),
      );
      const other = await deployed(tampering(''));

      expect(await call()).toEqual({
        kind: 'crashed',
        reason: 'The code failed with an error: The process sent an unexpected message',
      });

      expect(await other.call()).toMatchObject({ kind: 'answered' });
    });
  }
});

// Deployed functions have no such neighbours.
describe.skipIf(isLeftOut('process'))('code that probes its machine', () => {
  const tries = (attempt: string) =>
    tampering(`try { ${attempt} return { body: 'done' }; } catch (e) { return { body: (e.cause ?? e).code }; }`);

  it.each(['DYNAMODB', 'S3', 'SQS', 'LAMBDA'])('cannot connect to the service %s', async service => {
    const url = process.env[`AWS_ENDPOINT_URL_${service}`]!;
    const { hostname, port } = new URL(url);
    const byFetch = await deployed(tries(`await fetch('${url}');`));
    const bySocket = await deployed(
      tries(
        `await new Promise((resolve, reject) => require('node:net').connect(${port}, '${hostname}', resolve).on('error', reject));`,
      ),
    );

    expect(await byFetch.call()).toMatchObject({ text: 'EACCES' });
    expect(await bySocket.call()).toMatchObject({ text: 'EACCES' });
  });

  it('can connect to the platform and other servers', async () => {
    const { call } = await deployed(tries(`await fetch(process.env.BP_API_URL + '/v1/hello');`));

    expect(await call()).toMatchObject({ text: 'done' });
  });

  it.each(['process.ppid', '0', '-1'])('does not signal %s', async target => {
    const { call } = await deployed(tries(`process.kill(${target}, 0);`));

    expect(await call()).toMatchObject({ text: 'EPERM' });
  });
});
