/** Tests that tabs enter one after another, and that a tab that does not end delays the others for a limited time. */
import { once } from 'node:events';
import { expect, it, vi } from 'vitest';
import { withTabLock } from '#widget/talk/tabLock.ts';

const never = () => new Promise<never>(() => {});

it('runs tasks with the same name sequentially, and continues after a failure', async () => {
  const order: string[] = [];
  const task = (name: string) => async () => {
    order.push(`begin ${name}`);
    await Promise.resolve();
    order.push(`end ${name}`);
    if (name === 'a') throw new Error('a failed');
    return name;
  };

  const results = await Promise.allSettled([withTabLock('tasks', task('a')), withTabLock('tasks', task('b'))]);

  expect(order).toEqual(['begin a', 'end a', 'begin b', 'end b']);
  expect(results).toEqual([
    { status: 'rejected', reason: new Error('a failed') },
    { status: 'fulfilled', value: 'b' },
  ]);
});

it('gives the result before other tabs see what the task stored, and then runs the next', async () => {
  const order: string[] = [];
  const first = withTabLock('stored', async () => 'stored').then(result => order.push(result));
  const second = withTabLock('stored', async () => order.push('next'));

  await first;
  expect(order).toEqual(['stored']);
  await second;

  expect(order).toEqual(['stored', 'next']);
});

it('runs a task once, even if it takes longer than another tab would wait', async () => {
  const run = vi.fn(() => once(AbortSignal.timeout(20), 'abort'));

  await withTabLock('long', run, 1);

  expect(run).toHaveBeenCalledTimes(1);
});

it('runs a task without the lock if the tab that holds it hangs', async () => {
  void withTabLock('held', never);

  expect(await withTabLock('held', async () => 'entered', 5)).toBe('entered');
});

it('runs a task on pages without lock support', async () => {
  vi.stubGlobal('navigator', {});
  try {
    expect(await withTabLock('tasks', async () => 'entered')).toBe('entered');
  } finally {
    vi.unstubAllGlobals();
  }
});
