import { expect, it } from 'vitest';
import { startCpuShare } from '#infra/local/services/lambda/cpuShare.ts';

it('exhausts a CPU share after 0.3 s of all processes together, and restores it over time', () => {
  let nowMs = 0;
  const share = startCpuShare(() => nowMs);

  const spent: boolean[] = [];
  for (const ticks of [20, 10, 1]) {
    share.use(ticks);
    spent.push(share.isSpent());
  }
  nowMs = 100;
  spent.push(share.isSpent());

  expect(spent).toEqual([false, false, true, false]);
});

it('exhausts a CPU share with short calls that together use more than a third of a core', () => {
  let nowMs = 0;
  const share = startCpuShare(() => nowMs);

  const spentAfter = (ticksEach: number) => {
    for (let i = 0; i < 100; i++) {
      nowMs += 100;
      share.use(ticksEach);
    }
    return share.isSpent();
  };

  expect([spentAfter(3), spentAfter(8)]).toEqual([false, true]);
});
