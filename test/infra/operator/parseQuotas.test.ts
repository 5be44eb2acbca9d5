import { App, Stack } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { parseQuotas } from '#infra/operator/parseQuotas.ts';
import { workspaceCreationFromContext } from '#infra/stack/workspaceCreation.ts';

describe('quotas as an operator writes them', () => {
  it('are pairs of type and number', () => {
    expect(parseQuotas('bot_count=10, storage_count=1000000000')).toEqual({
      bot_count: 10,
      storage_count: 1_000_000_000,
    });
  });

  it.each(['bot_count', 'bot_count=-1', 'bot_count=1.5', 'bots=1', 'ai_spend=1', 'bot_count=1,', ''])(
    'are refused as %j, naming the part',
    text => {
      expect(() => parseQuotas(text)).toThrow(/is not a quota\. Write type=number/);
    },
  );
});

describe('the settings of new workspaces', () => {
  const variablesWith = (context: Record<string, string>) =>
    workspaceCreationFromContext(new Stack(new App({ context })));

  it('reach the functions that create them', () => {
    expect(variablesWith({ workspaceCreation: 'operator', defaultQuotas: 'bot_count=10' })).toEqual({
      WORKSPACE_CREATION: 'operator',
      DEFAULT_QUOTAS: '{"bot_count":10}',
    });
    expect(variablesWith({})).toEqual({});
  });

  it('are refused at deployment when they are misspelled', () => {
    expect(() => variablesWith({ workspaceCreation: 'off' })).toThrow('must be members or operator, not off');
  });
});
