import { describe, expect, it } from 'vitest';
import { Announcer } from '#widget/talk/announcer.ts';
import type { Message } from '#widget/talk/chatContract.ts';

const message = (id: string) => ({ id }) as Message;
const READY = Promise.resolve();

function listening() {
  const reported: string[] = [];
  return { reported, announcer: new Announcer(({ id }) => reported.push(id)) };
}

describe('an announcer', () => {
  it('reports each message after the history once', async () => {
    const { reported, announcer } = listening();
    announcer.start([message('2')]);
    announcer.announce([message('2'), message('3')], READY);
    announcer.announce([message('2'), message('3')], READY);

    await expect.poll(() => reported).toEqual(['3']);
  });

  it('reports no message before the loaded ones, which a late signal delivers', async () => {
    const { reported, announcer } = listening();
    announcer.start([message('2'), message('4')], true);
    announcer.announce([message('1'), message('2'), message('3'), message('4'), message('5')], READY);

    await expect.poll(() => reported).toEqual(['3', '5']);
  });
});
