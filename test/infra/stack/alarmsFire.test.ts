/** Evaluates each alarm as CloudWatch does: its cause fires it, normal behavior does not. */
/* biome-ignore-all lint/suspicious/noExplicitAny: a template is as deep as CloudFormation */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ACCESS_LOG_FORMAT } from '#infra/gateway/accessLog.ts';
import { chatApi, platformApi, webhookApi } from '#infra/gateway/apis.ts';
import type { AlarmKind } from '#infra/stack/watch/alarms.ts';
import { logCall } from '#shared/api/steps/logCall.ts';
import { clock } from '#shared/core/clock.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { log } from '#shared/core/log.ts';
import { measured as fieldsOf, type MetricName } from '#shared/core/metrics.ts';
import { addFiltered, addLine, addServiceMetric, type Measured, stateOf } from '#test/support/cloudWatch.ts';
import { recordLog } from '#test/support/recordLog.ts';
import { synthesised } from './template.ts';

const { all } = synthesised({ alarmEmail: 'you@example.com' });
const ofType = (type: string) => all.filter(([, { Type }]) => Type === type).map(([, { Properties }]) => Properties);
const alarms = ofType('AWS::CloudWatch::Alarm');
const APIS = { chat: chatApi, api: platformApi, webhook: webhookApi };

const MINUTE_MS = 60_000;
const HOUR_IN_PERIODS = 12;

/** Returns the events of a period of five minutes. */
type Happening = (alarm: any, data: Measured, period: number) => void;

const service =
  (name: string, ...values: number[]): Happening =>
  (alarm, data, period) => {
    for (const value of values) addServiceMetric(data, period, alarm, name, value);
  };
const both =
  (...happenings: Happening[]): Happening =>
  (...arguments_) => {
    for (const happening of happenings) happening(...arguments_);
  };

/** Returns the log line that contains the metric. */
const own =
  (name: MetricName, ...values: number[]): Happening =>
  (_, data, period) => {
    for (const value of values)
      for (const line of linesOf(() => log.info('Measured.', fieldsOf({ [name]: value })))) addLine(data, period, line);
  };

/** Returns calls of the alarm's API with given latencies. */
const calls =
  (slow: number, ms: number, count = 100): Happening =>
  (alarm, data, period) => {
    const api = APIS[whatOf(alarm) as keyof typeof APIS];
    const { after } = logCall(api.operations[0]!);
    for (let i = 0; i < count; i++) {
      const call = { nowMs: clock.now() - (i < slow ? ms : 20), requestId: 'r' };
      const request = { event: { call }, response: { statusCode: 200 } };
      for (const line of linesOf(() => after!(request as never))) addLine(data, period, line);
    }
  };

/** Returns requests in the access log of an API, by default the alarm's. */
const requests =
  (variables: Record<string, string>, count: number, api?: string): Happening =>
  (alarm, data, period) => {
    const line = Object.entries(variables).reduce(
      (text, [name, value]) => text.replace(`"$context.${name}"`, JSON.stringify(value)),
      ACCESS_LOG_FORMAT,
    );
    const filters = ofType('AWS::Logs::MetricFilter').filter(({ MetricTransformations: [{ MetricName }] }) =>
      MetricName.endsWith(`-${api ?? whatOf(alarm)}`),
    );
    expect(filters).toHaveLength(2);
    for (let i = 0; i < count; i++) for (const filter of filters) addFiltered(data, period, filter, line);
  };
const refused = (errorType: string, count: number) => requests({ 'error.responseType': errorType }, count);
/** Returns calls of every API whose function was throttled. */
const throttled = (count: number) =>
  both(...Object.keys(APIS).map(api => requests({ integrationStatus: '429', status: '500' }, count, api)));

const nothing: Happening = () => {};

/** Causes with their periods, and normal behavior of any duration. */
const CASES: Record<AlarmKind, (what: string) => { trouble: Happening; periods: number; fine: Happening[] }> = {
  failures: what => {
    const [failures, calls] = what === 'socket' ? ['IntegrationError', 'ConnectCount'] : ['5XXError', 'Count'];
    return {
      trouble: both(service(failures!, 5), service(calls!, 400)),
      periods: 2,
      fine: [both(service(failures!, 4), service(calls!, 4)), both(service(failures!, 5), service(calls!, 600))],
    };
  },
  pushes: () => ({
    trouble: both(own('pushesFailed', 20), own('pushes', 100)),
    periods: 2,
    fine: [
      both(own('pushesFailed', 19), own('pushes', 19)),
      both(own('pushesFailed', 20), own('pushes', 1_000)),
      nothing,
    ],
  }),
  latency: () => ({ trouble: calls(10, 4_000), periods: 3, fine: [calls(4, 20_000), calls(100, 2_500), nothing] }),
  refusals: () => ({
    trouble: refused('THROTTLED', 100),
    periods: 2,
    fine: [refused('THROTTLED', 90), refused('UNAUTHORIZED', 500)],
  }),
  'dead-letter-queues': () => ({
    trouble: service('ApproximateNumberOfMessagesVisible', 1),
    periods: 1,
    fine: [service('ApproximateNumberOfMessagesVisible', 0)],
  }),
  'dead-letters': () => ({ trouble: own('deadLetters', 1), periods: 1, fine: [nothing] }),
  'stream-age': () => ({
    trouble: service('IteratorAge', 200, MINUTE_MS),
    periods: 1,
    fine: [service('IteratorAge', 20_000)],
  }),
  'queue-age': () => ({
    trouble: service('ApproximateAgeOfOldestMessage', 2 * 3600),
    periods: 1,
    fine: [service('ApproximateAgeOfOldestMessage', 200)],
  }),
  'schedule-failed': () => ({ trouble: service('Errors', 1), periods: 1, fine: [service('Errors', 0), nothing] }),
  throttles: what => {
    // Requests that the rate limits of callers or of the gateway reject.
    const refused429 = (api: string) => requests({ 'error.responseType': 'THROTTLED', status: '429' }, 100, api);
    if (what === 'functions')
      return {
        trouble: throttled(4),
        periods: 2,
        fine: [
          service('Throttles', 5),
          requests({ integrationStatus: '200', status: '429' }, 100, 'chat'),
          refused429('webhook'),
        ],
      };
    const name = { table: 'WriteThrottleEvents', 'table-errors': 'SystemErrors' }[what]!;
    return { trouble: service(name, 60, 60), periods: what === 'table-errors' ? 1 : 2, fine: [service(name, 5)] };
  },
  'timers-late': () => ({
    trouble: own('timerLateMs', 90_000, 100, 90_000),
    periods: 2,
    fine: [own('timerLateMs', ...Array(19).fill(900), 3_600_000)],
  }),
  breakers: () => ({
    trouble: own('breakersOpened', ...Array(20).fill(1)),
    periods: 2,
    fine: [own('breakersOpened', ...Array(10).fill(1))],
  }),
  totals: () => ({ trouble: own('totalsWrong', 1), periods: 1, fine: [nothing] }),
  canary: what =>
    ({
      failed: { trouble: own('canaryFailures', 1), periods: 2, fine: [own('canaryMs', 300), nothing] },
      silent: { trouble: nothing, periods: HOUR_IN_PERIODS, fine: [own('canaryMs', 300)] },
      slow: { trouble: own('canaryMs', 6_000), periods: 3, fine: [own('canaryMs', 900), nothing] },
    })[what]!,
};

const kinds = Object.keys(CASES).sort((a, b) => b.length - a.length) as AlarmKind[];
const kindOf = ({ AlarmName }: any) => kinds.find(kind => AlarmName.startsWith(`Parley-${kind}-`))!;
function whatOf(alarm: any): string {
  return alarm.AlarmName.slice(`Parley-${kindOf(alarm)}-`.length);
}

function linesOf(write: () => unknown): string[] {
  const recorded = recordLog();
  write();
  recorded.stop();
  return recorded.lines;
}

beforeEach(() => {
  vi.stubEnv(VARIABLES.metricsNamespace, 'Parley');
});
afterEach(() => vi.unstubAllEnvs());

/** Simulates hours of normal behavior, and then the trouble. */
function stateAfter(alarm: any, fine: Happening, trouble: Happening = nothing, periods = 0): 'OK' | 'ALARM' {
  const data: Measured = new Map();
  for (let period = 0; period < HOUR_IN_PERIODS; period++) fine(alarm, data, period);
  for (let i = 0; i < periods; i++) trouble(alarm, data, HOUR_IN_PERIODS + i);
  return stateOf(alarm, data, HOUR_IN_PERIODS + periods);
}

describe.each(alarms.map(alarm => [alarm.AlarmName as string, alarm] as const))('%s', (_, alarm) => {
  const { trouble, periods, fine } = CASES[kindOf(alarm)](whatOf(alarm));

  it('fires once its cause has lasted long enough', () => {
    expect(stateAfter(alarm, fine[0]!, trouble, periods)).toBe('ALARM');
    expect(stateAfter(alarm, fine[0]!, trouble, periods - 1)).toBe('OK');
  });

  it('stays quiet without a cause', () => {
    for (const each of fine) expect(stateAfter(alarm, each)).toBe('OK');
  });

  it('stops firing when its cause ends', () => {
    const data: Measured = new Map();
    for (let period = 0; period < periods; period++) trouble(alarm, data, period);
    for (let period = periods; period < periods + HOUR_IN_PERIODS; period++) fine[0]!(alarm, data, period);

    expect(stateOf(alarm, data, periods + HOUR_IN_PERIODS)).toBe('OK');
  });
});
