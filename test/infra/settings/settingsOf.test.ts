/** Tests the settings of a deployment in an operator's notation. */
import { App } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '#infra/settings/settings.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';

const CERTIFICATE = 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d';
const settingsFrom = (context: Record<string, unknown>) => settingsOf(new App({ context }));

describe('settings', () => {
  it('has a documented default', () => {
    const settings = settingsFrom({});

    for (const [name, { meaning, values, unless, fallback }] of Object.entries(SETTINGS)) {
      expect(
        [meaning, values, unless].every(text => text.length > 0),
        name,
      ).toBe(true);
      expect(settings[name as keyof typeof settings], name).toEqual(fallback);
    }
  });

  it('parses strings and other JSON values', () => {
    expect(settingsFrom({ throttleRate: 70, ephemeral: true, firewall: 'on' })).toMatchObject({
      throttleRate: 70,
      ephemeral: true,
      firewall: 'on',
    });
    expect(settingsFrom({ throttleRate: '70', ephemeral: 'true' })).toMatchObject({
      throttleRate: 70,
      ephemeral: true,
    });
  });

  it.each([
    ['stage', 'Production'],
    ['stage', 'production'],
    ['ephemeral', 'yes'],
    ['memoryMb', '100'],
    ['apiDomain', 'https://api.example.com'],
    ['certificate', 'api.example.com'],
    ['hostedZone', 'example.com'],
    ['logRetentionDays', '31'],
    ['alarmEmail', 'on call'],
    ['alarmTopic', 'pager'],
    ['canaryMinutes', '0'],
    ['allowedOrigins', 'https://example.com/chat'],
    ['modelInputPrice', '3$'],
    ['rollout', 'slow'],
    ['tags', 'CostCenter'],
    ['tags', 'aws:team=chat'],
    ['tags', 'parley:bot=1'],
    ['tags', 'Team=chat,Team=web'],
    ['tags', 'Team=chat;web'],
    ['tags', `Team=${'a'.repeat(257)}`],
    ['tags', Array.from({ length: 21 }, (_, i) => `k${i}=v`).join(',')],
  ])('rejects %s=%s, naming the setting', (name, value) => {
    expect(() => settingsFrom({ [name]: value })).toThrow(new RegExp(`^The setting ${name} `));
  });

  it('parses tags whose values contain an equals sign or are empty', () => {
    expect(settingsFrom({ tags: 'CostCenter=1234, Team=Chat platform,query=a=b,Flag=' }).tags).toEqual({
      CostCenter: '1234',
      Team: 'Chat platform',
      query: 'a=b',
      Flag: '',
    });
  });

  it.each([
    [{ modelOutputPrice: '0' }, 'modelInputPrice'],
    [{ modelInputPrice: '0' }, 'modelOutputPrice'],
  ])('rejects a model with only %j, because no spend would be counted', (given, missing) => {
    expect(() => settingsFrom({ model: 'amazon.nova-lite-v1:0', ...given })).toThrow(
      `The setting model requires ${missing}. Set both.`,
    );
  });

  it('rejects a misspelled name, which would otherwise be ignored', () => {
    expect(() => settingsFrom({ throtleRate: '70' })).toThrow('The setting throtleRate does not exist.');
  });

  it("ignores the CDK's own context", () => {
    expect(() =>
      settingsFrom({ '@aws-cdk/core:target-partitions': ['aws'], 'aws:cdk:bundling-stacks': [] }),
    ).not.toThrow();
  });

  it('overrides general settings for one stage', () => {
    const stages = { staging: { memoryMb: 512 } };

    expect(settingsFrom({ stages, memoryMb: 2048, stage: 'staging' })).toMatchObject({ memoryMb: 512 });
    expect(settingsFrom({ stages, memoryMb: 2048, stage: 'prod' })).toMatchObject({ memoryMb: 2048 });
    expect(() => settingsFrom({ stages: { staging: { memory: 1 } }, stage: 'staging' })).toThrow(
      'setting memory does not exist',
    );
  });

  it('rejects a domain without its certificate', () => {
    expect(() => settingsFrom({ apiDomain: 'api.example.com' })).toThrow(
      'The setting apiDomain requires certificate. Set both.',
    );
    expect(() => settingsFrom({ apiDomain: 'api.example.com', certificate: CERTIFICATE })).not.toThrow();
  });
});
