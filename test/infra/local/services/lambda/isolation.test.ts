/** Tests what deployed code can reach on the machine of a local platform. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCpuShare } from '#infra/local/services/lambda/cpuShare.ts';
import { startWorker, type Worker } from '#infra/local/services/lambda/lambdaWorker.ts';
import { runtimeSource } from '#infra/local/services/lambda/runtime.ts';

/** Evaluates the event and returns `done`, or the code of the error. */
const CODE = `
  const failed = error => error.code ?? error.message;
  exports.handler = async source => {
    try {
      await Promise.race([
        eval('(async () => {' + source + '})()'),
        new Promise((_, reject) => process.once('attempt', reject)),
      ]);
      return 'done';
    } catch (error) {
      return error.cause ? failed(error.cause) : failed(error);
    }
  };
`;

const root = mkdtempSync(join(tmpdir(), 'parley-isolation-'));
const directory = join(root, 'function');
const outside = join(root, 'outside');
const socket = join(root, 'server.sock');
const database = join(root, 'data.db');
let server: Server;
let worker: Worker;

beforeAll(async () => {
  mkdirSync(directory);
  writeFileSync(outside, 'secret');
  writeFileSync(join(directory, 'own.txt'), 'own');
  writeFileSync(join(directory, 'runtime.cjs'), runtimeSource);
  writeFileSync(join(directory, 'index.js'), CODE);
  server = createServer(connection => connection.end()).listen(socket);
  await once(server, 'listening');
  worker = startWorker({
    directory,
    variables: {},
    memoryMb: 256,
    timeoutSeconds: 30,
    cpu: startCpuShare(),
    makesWay: false,
    onLateOutput: () => {},
  });
});

afterAll(async () => {
  worker.end();
  await worker.ended;
  server.close();
  rmSync(root, { recursive: true });
});

const attempt = async (source: string) => JSON.parse((await worker.call(source)).payload);

const ATTEMPTS: Record<string, [source: string, code: string | RegExp]> = {
  'open a database': [`new (require('node:sqlite').DatabaseSync)('${database}')`, 'ERR_UNKNOWN_BUILTIN_MODULE'],
  'open a database by getBuiltinModule': [
    `new (process.getBuiltinModule('node:sqlite').DatabaseSync)('${database}')`,
    /of undefined/,
  ],
  'import SQLite': [`await import('node:sqlite')`, 'ERR_UNKNOWN_BUILTIN_MODULE'],
  'read a file': [`require('fs').readFileSync('${outside}')`, 'ERR_ACCESS_DENIED'],
  'read a file as a blob': [`await require('fs').openAsBlob('${outside}')`, 'ERR_ACCESS_DENIED'],
  'read a file as variables': [`process.loadEnvFile('${outside}')`, 'ERR_ACCESS_DENIED'],
  'load a module': [`require('${outside}')`, /ERR_ACCESS_DENIED|MODULE_NOT_FOUND/],
  'link to a file': [`require('fs').symlinkSync('${outside}', '${join(directory, 'link')}')`, 'ERR_ACCESS_DENIED'],
  "read the platform's variables": [
    "require('fs').readFileSync('/proc/' + process.ppid + '/environ')",
    'ERR_ACCESS_DENIED',
  ],
  'read its own mappings': ["require('fs').readFileSync('/proc/self/maps')", 'ERR_ACCESS_DENIED'],
  'write a file': [`require('fs').writeFileSync('${join(directory, 'new')}', '')`, 'ERR_ACCESS_DENIED'],
  'write a report': [`process.report.writeReport('${join(root, 'report')}')`, 'ERR_ACCESS_DENIED'],
  'write a heap snapshot': [`require('v8').writeHeapSnapshot('${join(root, 'heap')}')`, 'ERR_ACCESS_DENIED'],
  'write a trace': ["require('trace_events').createTracing({ categories: ['node'] }).enable()", 'ERR_ACCESS_DENIED'],
  'change its folder': ["process.chdir('/')", 'ERR_ACCESS_DENIED'],
  'start a program': ["require('child_process').spawnSync('id')", 'ERR_ACCESS_DENIED'],
  'become a program': ["process.execve('/bin/true', ['true'], {})", 'ERR_ACCESS_DENIED'],
  'start a cluster': ["require('cluster').fork()", 'ERR_ACCESS_DENIED'],
  'start a thread': ["new (require('worker_threads').Worker)('1', { eval: true })", 'ERR_ACCESS_DENIED'],
  'register module hooks': ["require('module').register('data:text/javascript,')", 'ERR_ACCESS_DENIED'],
  'use WASI': ["new (require('wasi').WASI)({ version: 'preview1', preopens: { '/': '/' } })", 'ERR_ACCESS_DENIED'],
  'load an addon': ["process.dlopen({ exports: {} }, '/lib/libc.so.6')", 'ERR_DLOPEN_DISABLED'],
  'use internal bindings': ["process.binding('pipe_wrap')", 'ERR_ACCESS_DENIED'],
  'use linked bindings': ["process._linkedBinding('fs')", 'ERR_ACCESS_DENIED'],
  'inspect itself': ["new (require('inspector').Session)().connect()", 'ERR_ACCESS_DENIED'],
  'open an inspector': ["require('inspector').open(0)", 'ERR_ACCESS_DENIED'],
  'connect to a Unix socket': [
    `await require('events').once(require('net').connect('${socket}'), 'connect')`,
    'EACCES',
  ],
  'connect to an abstract socket': [
    "await require('events').once(require('net').connect('\\\\0parley'), 'connect')",
    'EACCES',
  ],
  'send a request to a Unix socket': [
    `await require('events').once(require('http').get({ socketPath: '${socket}' }), 'response')`,
    'EACCES',
  ],
  'listen on a Unix socket': [
    `await require('events').once(require('net').createServer().listen('${join(root, 'own.sock')}'), 'listening')`,
    'EACCES',
  ],
  'restore the native method of Unix sockets': [
    `const { prototype } = process.stdout._handle.constructor;
     delete prototype.connect;
     prototype.connect = () => 0;
     await require('events').once(require('net').connect('${socket}'), 'connect')`,
    'EACCES',
  ],
  'signal the platform': ['process.kill(process.ppid, 0)', 'EPERM'],
  'signal the platform by an internal method': ['process._kill(process.ppid, 0)', 'EPERM'],
  'signal its process group': ['process._kill(0, 0)', 'EPERM'],
  'open the inspector of the platform': ['process._debugProcess(process.ppid)', /not a function/],
  'slow the platform down': ["require('os').setPriority(process.ppid, 19)", 'EPERM'],
  'slow the platform down by an import': ["(await import('node:os')).setPriority(process.ppid, 19)", 'EPERM'],
};

describe('deployed code', () => {
  it.each(Object.entries(ATTEMPTS))('cannot %s', async (_, [source, code]) => {
    const before = readdirSync(root, { recursive: true });

    const outcome = await attempt(source);

    expect(outcome).toEqual(typeof code === 'string' ? code : expect.stringMatching(code));
    expect(readdirSync(root, { recursive: true })).toEqual(before);
  });

  it('cannot connect with the native classes of its own sockets', async () => {
    const outcome = await attempt(`
      const { createServer, Socket } = require('node:net');
      const { once } = require('node:events');
      const server = createServer(connection => connection.on('error', () => {})).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const connected = () => {
        const socket = new Socket().on('error', () => {}).connect(server.address().port, '127.0.0.1');
        return once(socket, 'connect').then(() => socket);
      };
      const { prototype } = (await connected())._handle.constructor;
      const { connect } = prototype;
      let Request;
      prototype.connect = function (request, ...rest) {
        Request = request.constructor;
        return connect.call(this, request, ...rest);
      };
      await connected();
      const Pipe = process.stdout._handle.constructor;
      const code = new Pipe(0).connect(new Request(), '${socket}');
      throw Object.assign(new Error(), { code: require('node:util').getSystemErrorName(code) });
    `);

    expect(outcome).toBe('EACCES');
  });

  it('opens no inspector on a signal to itself', async () => {
    const outcome = await attempt(`
      process.kill(process.pid, 'SIGUSR1');
      await require('node:events').once(require('node:net').connect(9229, '127.0.0.1'), 'connect');
    `);

    expect(outcome).toBe('ECONNREFUSED');
  });

  it("leaves the platform's priority unchanged", () => {
    expect(getPriority(process.pid)).toBe(0);
  });

  it('can read its own files, print, use TCP and signal itself', async () => {
    const outcome = await attempt(`
      require('node:fs').readFileSync('${join(directory, 'own.txt')}');
      console.log('printed');
      process.kill(process.pid, 0);
      const server = require('node:http').createServer((_, response) => response.end('here')).listen(0, '127.0.0.1');
      await require('node:events').once(server, 'listening');
      const text = await (await fetch('http://127.0.0.1:' + server.address().port)).text();
      server.close();
      if (text !== 'here') throw new Error(text);
    `);

    expect(outcome).toBe('done');
  });
});
