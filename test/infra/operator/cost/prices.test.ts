import { describe, expect, it } from 'vitest';
import { pricesOf, REGIONS, withOwnPrices } from '#infra/operator/cost/prices.ts';

const list = pricesOf('us-east-1');

describe('prices', () => {
  it.each(REGIONS)('is complete for %s, with no price of zero', region => {
    expect(Object.keys(pricesOf(region))).toEqual(Object.keys(list));
    expect(Object.values(pricesOf(region)).every(price => price > 0)).toBe(true);
  });

  it('is requested for an unknown region', () => {
    expect(() => pricesOf('mars-north-1')).toThrow('Choose one of us-east-1, eu-west-1, eu-central-1');
    expect(() => pricesOf('constructor')).toThrow('Prices of constructor are unknown');
  });

  it('is overridden individually', () => {
    expect(withOwnPrices(list, '{ "gatewayMillion": 2.8 }')).toEqual({ ...list, gatewayMillion: 2.8 });
  });

  it.each([
    ['{ "gatewayMilion": 2.8 }', '"gatewayMilion" is not a price. Use one of gatewayMillion'],
    ['{ "gatewayMillion": "2.8" }', 'The price gatewayMillion must be a number'],
    ['{ "gatewayMillion": -1 }', 'The price gatewayMillion must be a number'],
    ['[]', 'must be a JSON object'],
    ['gatewayMillion', 'must be a JSON object'],
  ])('is not taken from %s', (text, message) => {
    expect(() => withOwnPrices(list, text)).toThrow(message);
  });
});
