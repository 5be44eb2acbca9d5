/**
 * AWS list prices in US dollars: on demand, without free tiers, volume tiers and discounts. They come from the public
 * price pages at the date below. `--prices <file>` replaces any of them.
 */
import { UsageError } from '#infra/operator/target/target.ts';

export const PRICES_AS_OF = 'December 2025';

const US_EAST_1 = {
  gatewayMillion: 3.5,
  /** A million minutes of WebSocket connections, and a million of their frames of up to 32 KB. */
  connectionMinuteMillion: 0.25,
  frameMillion: 1,
  /** A gigabyte of outbound data. */
  transferGb: 0.09,
  functionMillion: 0.2,
  functionGbSecond: 0.0000133334,
  writeUnitMillion: 0.625,
  readUnitMillion: 0.125,
  tableGb: 0.25,
  backupGb: 0.2,
  objectGb: 0.023,
  objectPutThousand: 0.005,
  objectGetThousand: 0.0004,
  /** Requests to standard queues, and to FIFO queues. */
  queueMillion: 0.4,
  fifoMillion: 0.5,
  contentGb: 0.085,
  contentTenThousand: 0.01,
  logGb: 0.5,
  storedLogGb: 0.03,
  metric: 0.3,
  alarm: 0.1,
  dashboard: 3,
  key: 1,
  secret: 0.4,
  vectorGb: 0.06,
  vectorPutGb: 0.2,
  vectorQueryMillion: 2.5,
  vectorQueryTb: 0.004,
  edgeFunctionMillion: 0.1,
};
export type Prices = typeof US_EAST_1;

const DIFFERENCES: Record<string, Partial<Prices>> = {
  'us-east-1': {},
  'eu-west-1': {
    writeUnitMillion: 0.70675,
    readUnitMillion: 0.1415,
    tableGb: 0.283,
    backupGb: 0.226,
    logGb: 0.57,
  },
  'eu-central-1': {
    gatewayMillion: 3.7,
    connectionMinuteMillion: 0.285,
    frameMillion: 1.14,
    writeUnitMillion: 0.7625,
    readUnitMillion: 0.1525,
    tableGb: 0.306,
    backupGb: 0.245,
    objectGb: 0.0245,
    objectPutThousand: 0.0054,
    objectGetThousand: 0.00043,
    logGb: 0.63,
    storedLogGb: 0.0324,
  },
};

export const REGIONS: readonly string[] = Object.keys(DIFFERENCES);

export function pricesOf(region: string): Prices {
  if (!REGIONS.includes(region))
    throw new UsageError(
      `Prices of ${region} are unknown. Choose one of ${REGIONS.join(', ')}, or set its prices with --prices.`,
    );
  return { ...US_EAST_1, ...DIFFERENCES[region] };
}

/** Replaces prices by those of a file such as `{ "gatewayMillion": 2.8 }`. @throws UsageError for an invalid price */
export function withOwnPrices(prices: Prices, text: string): Prices {
  const own = parseObject(text);
  for (const [name, value] of Object.entries(own)) {
    if (!Object.hasOwn(prices, name))
      throw new UsageError(`"${name}" is not a price. Use one of ${Object.keys(prices).join(', ')}.`);
    if (typeof value !== 'number' || !(value >= 0 && value < Number.POSITIVE_INFINITY))
      throw new UsageError(`The price ${name} must be a number of at least 0.`);
  }
  return { ...prices, ...own };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new UsageError('The --prices file must be a JSON object such as { "gatewayMillion": 2.8 }.');
}
