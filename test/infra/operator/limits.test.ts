import { App, Stack } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { parseOpenWorkLimits } from '#infra/settings/parseOpenWorkLimits.ts';
import { parseQuotas } from '#infra/settings/parseQuotas.ts';
import { parseRateLimits } from '#infra/settings/parseRateLimits.ts';
import {
  deliveryLimitVariables,
  requestLimitVariables,
  workspaceCreationVariables,
} from '#infra/stack/operatorLimits.ts';

describe("quotas in an operator's notation", () => {
  it('parses pairs of type and number', () => {
    expect(parseQuotas('bot_count=10, storage_count=1000000000')).toEqual({
      bot_count: 10,
      storage_count: 1_000_000_000,
    });
  });

  it.each(['bot_count', 'bot_count=-1', 'bot_count=1.5', 'bots=1', 'openai_spend=1', 'bot_count=1,', ''])(
    'rejects %j and names the invalid part',
    text => {
      expect(() => parseQuotas(text)).toThrow(/is not a quota\. Write type=number/);
    },
  );
});

describe('the settings of new workspaces', () => {
  const variablesWith = (context: Record<string, string>) =>
    workspaceCreationVariables(new Stack(new App({ context })));

  it('applies to the functions that create them', () => {
    expect(variablesWith({ workspaceCreation: 'operator', defaultQuotas: 'bot_count=10' })).toEqual({
      WORKSPACE_CREATION: 'operator',
      DEFAULT_QUOTAS: '{"bot_count":10}',
    });
    expect(variablesWith({})).toEqual({});
    expect(variablesWith({ defaultSpendUsd: '2.5', defaultQuotas: 'ai_spend=5000000000' })).toEqual({
      DEFAULT_SPEND_USD: '2.5',
      DEFAULT_QUOTAS: '{"ai_spend":5000000000}',
    });
  });

  it('is rejected at deployment when misspelled', () => {
    expect(() => variablesWith({ workspaceCreation: 'off' })).toThrow('must be members or operator, not off');
  });
});

describe("rate limits in an operator's notation", () => {
  it('parses pairs of name and number, or off', () => {
    expect(parseRateLimits('user=100, bot=0')).toBe('{"user":100,"bot":0}');
    expect(parseRateLimits('off')).toBe('off');
  });

  it.each(['user', 'users=1', 'user=-1', 'user=1e3', ''])('rejects %j and names the invalid part', text => {
    expect(() => parseRateLimits(text)).toThrow(/is not a rate limit\. Write off, or name=number/);
  });

  it('applies to the functions', () => {
    const stack = new Stack(new App({ context: { rateLimits: 'user=100', participantLimit: '50' } }));

    expect(requestLimitVariables(stack)).toEqual({ RATE_LIMITS: '{"user":100}', PARTICIPANT_LIMIT: '50' });
  });
});

describe("limits on open work in an operator's notation", () => {
  it('parses pairs of name and number, or off', () => {
    expect(parseOpenWorkLimits('userStreams=5, botCalls=0')).toBe('{"userStreams":5,"botCalls":0}');
    expect(parseOpenWorkLimits('off')).toBe('off');
  });

  it.each(['userStreams', 'streams=1', 'userStreams=-1', ''])('rejects %j and names the invalid part', text => {
    expect(() => parseOpenWorkLimits(text)).toThrow(/is not a limit on open work\. Write off, or name=number/);
  });

  it('applies to the functions', () => {
    const stack = new Stack(new App({ context: { openWorkLimits: 'botStreams=1000' } }));

    expect(requestLimitVariables(stack)).toEqual({ OPEN_WORK_LIMITS: '{"botStreams":1000}' });
  });
});

describe('the limit of slow calls', () => {
  const variablesWith = (context: Record<string, string>) => deliveryLimitVariables(new Stack(new App({ context })));

  it('applies to the functions that deliver', () => {
    expect(variablesWith({ slowCallsPerBot: '20' })).toEqual({ SLOW_CALLS_PER_BOT: '20' });
    expect(variablesWith({})).toEqual({});
  });

  it('is rejected at deployment if it would prevent every delivery', () => {
    expect(() => variablesWith({ slowCallsPerBot: '0' })).toThrow('must be a whole number from 1');
  });
});
