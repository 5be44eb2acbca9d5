/** Tests the step of the smoke test that sets an alarm. CloudWatch runs only on AWS, so its calls are given. */
import { describe, expect, it } from 'vitest';
import { type AlarmCalls, notifyByAlarm } from '#infra/operator/smoke/alarm.ts';

const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:Parley-AlarmTopic';
const CONFIRMED = [{ endpoint: 'you@example.com', isConfirmed: true }];

async function run(given: Partial<AlarmCalls> & { actions?: string[] }) {
  const states: string[] = [];
  const remarks: string[] = [];
  const removals: (() => Promise<unknown>)[] = [];
  const answers = [[], given.actions ?? [`Successfully executed action ${TOPIC}`]];
  const calls: AlarmCalls = {
    topicOf: async () => TOPIC,
    subscribersOf: async () => CONFIRMED,
    set: async (alarm, state) => void states.push(`${alarm} ${state}`),
    actionsOf: async () => answers.shift()!,
    ...given,
  };
  const step = {
    signal: new AbortController().signal,
    remark: (text: string) => void remarks.push(text),
    waitsFor: () => {},
    until: async <T>(_: string, check: () => Promise<T | undefined>) => {
      for (;;) {
        const found = await check();
        if (found !== undefined) return found;
      }
    },
  };
  const failure = await notifyByAlarm('Parley', { removeLater: (_, remove) => void removals.push(remove) }, step, calls)
    .then(() => undefined)
    .catch((error: Error) => error.message);
  for (const remove of removals) await remove();
  return { failure, states, remark: remarks[0] };
}

describe('the alarm step', () => {
  it('sets an alarm, waits until CloudWatch has notified the topic, and states who must receive what', async () => {
    const { failure, states, remark } = await run({});

    expect(failure).toBeUndefined();
    expect(states).toEqual(['Parley-dead-letters-stored ALARM', 'Parley-dead-letters-stored OK']);
    expect(remark).toMatch(/^you@example\.com must receive 'ALARM: "Parley-dead-letters-stored"' within a minute/);
  });

  it("fails with CloudWatch's reason when the topic's policy does not permit it", async () => {
    const reason = `Failed to execute action ${TOPIC}. Received error: "CloudWatch Alarms is not authorized to perform: SNS:Publish"`;

    const { failure, states } = await run({ actions: [reason] });

    expect(failure).toBe(`The alarm Parley-dead-letters-stored notified nobody: ${reason}`);
    expect(states).toHaveLength(2);
  });

  it.each([
    ['an address that is not confirmed', [{ endpoint: 'you@example.com', isConfirmed: false }], /did not confirm/],
    ['no subscription', [], /^Nobody subscribes to arn:aws:sns/],
  ])('fails for %s, before it sets the alarm', async (_, subscribers, message) => {
    const { failure, states } = await run({ subscribersOf: async () => subscribers });

    expect(failure).toMatch(message);
    expect(states).toEqual([]);
  });

  it('accepts a topic of another account, whose subscriptions it cannot list', async () => {
    const { failure, remark } = await run({ subscribersOf: async () => undefined });

    expect(failure).toBeUndefined();
    expect(remark).toMatch(/^the subscribers of the topic must receive/);
  });

  it('passes without alarms, and explains how to enable them', async () => {
    const { failure, states, remark } = await run({ topicOf: async () => undefined });

    expect(failure).toBeUndefined();
    expect(states).toEqual([]);
    expect(remark).toMatch(/set alarmEmail or alarmTopic/);
  });
});
