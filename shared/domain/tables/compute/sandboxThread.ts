import { type MessagePort, parentPort } from 'node:worker_threads';
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
  Scope,
} from 'quickjs-emscripten-core';
import { type Answer, type Task, timedOut } from './sandboxTask.ts';

/** The stack of QuickJS. Each of its levels uses more of the thread's stack, which has 4 MB. */
const STACK_BYTES = 256 * 1024;
const RESULT_CHARS = 100_000;
const MESSAGE_CHARS = 500;

const usedTooMuch = ({ memoryBytes }: Task) => `The code used more than ${Math.round(memoryBytes / 1024 ** 2)} MB.`;

async function answer(port: MessagePort): Promise<void> {
  const quickJs = await newQuickJSWASMModuleFromVariant(import('@jitl/quickjs-singlefile-cjs-release-sync'));
  port.on('message', (task: Task) => port.postMessage(run(quickJs, task)));
  port.postMessage('ready');
}

function run(quickJs: QuickJSWASMModule, task: Task): Answer {
  const endMs = performance.now() + task.timeoutMs;
  let isLate = false;
  const interruptHandler = () => {
    isLate ||= performance.now() > endMs;
    return isLate;
  };
  try {
    const answer = Scope.withScope(scope => {
      const limits = { memoryLimitBytes: task.memoryBytes, maxStackSizeBytes: STACK_BYTES, interruptHandler };
      const runtime = scope.manage(quickJs.newRuntime(limits));
      return runInContext(scope.manage(runtime.newContext()), scope, task);
    });
    // Code interrupted within a regular expression can catch the error and continue.
    return isLate ? timedOut(task) : answer;
  } catch {
    // The thread's stack overflowed or WebAssembly aborted, possibly during clean-up after an overflow.
    return { error: 'The code crashed its interpreter, most likely by nesting too deeply.', isSpent: true };
  }
}

/** Runs before the code, and keeps references to built-ins that the code may replace. */
const PRELUDE = `(() => {
  const { parse, stringify } = JSON;
  const [OriginalError, OriginalString] = [Error, String];
  const cut = Function.prototype.call.bind(String.prototype.slice);
  const freeze = value => {
    if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
    return value;
  };
  return {
    row: text => freeze(parse(text)),
    stringify,
    describe: thrown =>
      cut(thrown instanceof OriginalError ? thrown.name + ': ' + thrown.message : OriginalString(thrown), 0, ${MESSAGE_CHARS}),
  };
})()`;

const EVALUATION = { type: 'global', strict: true } as const;

function runInContext(context: QuickJSContext, scope: Scope, task: Task): Answer {
  const prelude = scope.manage(context.evalCode(PRELUDE, 'prelude', EVALUATION).unwrap());
  const own = (name: string) => scope.manage(context.getProp(prelude, name));
  const [makeRow, stringify, describe] = [own('row'), own('stringify'), own('describe')];
  const failed = (thrown: QuickJSHandle): Answer => ({ error: messageOf(context, describe, thrown, task) });
  const call = (called: QuickJSHandle, argument: QuickJSHandle) =>
    scope.manage(context.callFunction(called, context.undefined, argument));

  const row = call(makeRow, scope.manage(context.newString(task.row)));
  if (row.error) return failed(row.error);
  const compiled = scope.manage(compile(context, task.code));
  if (compiled.error) return failed(compiled.error);
  const result = call(compiled.value, row.value);
  if (result.error) return failed(result.error);
  if (context.typeof(result.value) === 'undefined') return { json: 'null' };
  if (isPromise(context, scope, result.value)) return { error: 'The code returned a promise. Make it synchronous.' };
  const json = call(stringify, result.value);
  return json.error ? failed(json.error) : read(context, scope, json.value);
}

/**
 * Compiles the code as an expression, or else as a function body. Code that closes the surrounding parentheses gains no
 * additional access.
 */
function compile(context: QuickJSContext, code: string) {
  const evaluate = (body: string) => context.evalCode(`(function (row) {${body}\n})`, 'code', EVALUATION);
  const asExpression = evaluate(`return (${code}\n)`);
  if (!asExpression.error || !/\breturn\b/.test(code)) return asExpression;
  asExpression.dispose();
  return evaluate(code);
}

function isPromise(context: QuickJSContext, scope: Scope, value: QuickJSHandle): boolean {
  const state = context.getPromiseState(value);
  if (state.type === 'fulfilled' && state.notAPromise) return false;
  if (state.type === 'fulfilled') scope.manage(state.value);
  if (state.type === 'rejected') scope.manage(state.error);
  return true;
}

function read(context: QuickJSContext, scope: Scope, json: QuickJSHandle): Answer {
  if (context.typeof(json) !== 'string') return { error: 'The code must return a JSON value, not a function.' };
  const length = context.getNumber(scope.manage(context.getProp(json, 'length')));
  if (length <= RESULT_CHARS) return { json: context.getString(json) };
  return { error: `The code returned more than ${RESULT_CHARS.toLocaleString('en')} characters of JSON.` };
}

function messageOf(context: QuickJSContext, describe: QuickJSHandle, thrown: QuickJSHandle, task: Task): string {
  const described = context.callFunction(describe, context.undefined, thrown);
  const message = described.error ? 'The code threw a value without a message.' : context.getString(described.value);
  described.dispose();
  if (message.startsWith('InternalError: out of memory')) return usedTooMuch(task);
  return /^\w+Error: stack overflow$/.test(message) ? 'The code recursed or nested too deeply.' : message;
}

if (parentPort) void answer(parentPort);
