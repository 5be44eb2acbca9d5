/** Tests that a month's price follows from the load, the figures and the prices. */
import { describe, expect, it } from 'vitest';
import { type Load, parseLoad } from '#infra/operator/cost/costLoad.ts';
import { estimate, totalOf } from '#infra/operator/cost/estimate.ts';
import { pricesOf } from '#infra/operator/cost/prices.ts';
import { byService } from '#infra/operator/cost/report.ts';

const prices = pricesOf('us-east-1');
const priced = (load: Partial<Load>) => estimate({ ...parseLoad({}), ...load }, prices);
const of = (service: string, load: Partial<Load>) => byService(priced(load)).get(service)!;

describe('the estimate', () => {
  it('contains only schedules, dashboards and storage for an idle installation', () => {
    const sums = byService(priced({}));

    const paid = [...sums].filter(([, usd]) => usd >= 0.1).map(([service]) => service);
    expect(paid).toEqual(['SQS', 'CloudWatch', 'KMS, Secrets Manager']);
    expect(totalOf(priced({}))).toBeLessThan(10);
  });

  it('charges a message and its reply by requests and capacity units', () => {
    const conversations = 0;
    const reads = 0;

    const [one, two] = [1_000, 2_000].map(messages => priced({ messages, conversations, reads }));

    const gateway = (lines: typeof one) => byService(lines!).get('API Gateway')!;
    expect(gateway(one)).toBeCloseTo((2 * 1_000 * 3.5) / 1e6, 6);
    expect(gateway(two)).toBeCloseTo(2 * gateway(one), 6);
    // 7.1 units, and 10 with unshared counters.
    const written = one!.find(({ what }) => what.endsWith('write units'))!;
    expect(written.usd).toBeCloseTo((17.1 * 1_000 * 0.625) / 1e6, 6);
  });

  it('shares counter updates and batches within a second', () => {
    const unitsOf = (messages: number, bots: number) =>
      priced({ messages, bots }).find(({ what }) => what.endsWith('write units'))!.usd / messages;

    expect(unitsOf(100_000_000, 1)).toBeLessThan(unitsOf(1_000_000, 1));
    // Bots share no counters.
    expect(unitsOf(100_000_000, 1_000)).toBeGreaterThan(unitsOf(100_000_000, 1));
  });

  it('charges an event stream by its memory and time, $0.012 an hour, and its polls', () => {
    const streams = { listeners: 100, sse: 100 };

    const lambda = of('Lambda', streams) - of('Lambda', {});
    const table = of('DynamoDB', streams) - of('DynamoDB', {});

    expect(lambda / 100 / 730).toBeCloseTo(0.012, 3);
    expect(table / 100 / 730).toBeGreaterThan(0.0003);
    expect(table / 100 / 730).toBeLessThan(0.0011);
  });

  it.each([
    ["Parley's own client", { listeners: 1 }, 0.025],
    ['another client over WebSocket, which the server pings, five to a bot', { listeners: 5, pinged: 100 }, 0.15],
  ])('charges cents for a chat that is open for a month, by %s', (_, load, most) => {
    const usd = (totalOf(priced(load)) - totalOf(priced({}))) / load.listeners;

    expect(usd).toBeGreaterThan(0.25 * 730 * 60 * 1e-6);
    expect(usd).toBeLessThanOrEqual(most);
  });

  it('charges connections proportionally, and a push by its job and frame', () => {
    const usd = (load: Partial<Load>) => totalOf(priced(load)) - totalOf(priced({ ...load, listeners: 0 }));

    expect(usd({ listeners: 200 })).toBeCloseTo(2 * usd({ listeners: 100 }), 6);
    const pushes = usd({ listeners: 1, messages: 1_000_000 }) - usd({ listeners: 1 });
    expect(pushes).toBeGreaterThan(2);
    expect(pushes).toBeLessThan(10);
  });

  it('charges 100,000 messages with five open chats at most $32', () => {
    expect(totalOf(priced(parseLoad({ messages: '100000', listeners: '5' })))).toBeLessThanOrEqual(32);
  });

  it('charges indexing by pages, and searching by the size of the index', () => {
    const files = { files: 1_000, indexed: 1_000 };

    const indexing = (pages: number) => of('Lambda', { ...files, pages }) - of('Lambda', { ...files, pages: 0 });
    expect(indexing(20)).toBeCloseTo(2 * indexing(10), 1);
    expect(indexing(10)).toBeGreaterThan(0);
    expect(of('S3 Vectors', { ...files, searches: 1_000_000 })).toBeGreaterThan(of('S3 Vectors', files) + 2.5);
  });

  it('adds alarms and a canary that runs all month', () => {
    const difference = totalOf(priced({ hasAlarms: true })) - totalOf(priced({}));

    // Includes the metrics that each message then writes.
    expect(difference).toBeGreaterThan(5);
    expect(difference).toBeLessThan(20);
  });

  it('grows with the months of retention', () => {
    const stored = (months: number) =>
      priced({ messages: 1_000_000, months }).find(({ what }) => what.endsWith('with backups'))!.usd;

    expect(stored(12)).toBeCloseTo(12 * stored(1), 6);
  });
});

describe('a load', () => {
  it('derives defaults from messages', () => {
    expect(parseLoad({ messages: '100' })).toMatchObject({ conversations: 10, reads: 100, searches: 0, bots: 1 });
    expect(parseLoad({ messages: '100', files: '5' })).toMatchObject({ indexed: 5, searches: 100 });
    expect(parseLoad({ messages: '100', files: '5', indexed: '0' })).toMatchObject({ indexed: 0, searches: 0 });
  });

  it('is rejected with a share above 100 %', () => {
    expect(() => parseLoad({ listeners: '1', sse: '101' })).toThrow('--sse must be a percentage from 0 to 100');
  });

  it.each(['-1', 'many', '', '1e13', 'NaN'])('is rejected with "%s" messages', messages => {
    expect(() => parseLoad({ messages })).toThrow('--messages must be a number from 0');
  });
});
