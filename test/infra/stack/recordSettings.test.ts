import { App } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { givenSettings, settingsOf } from '#infra/settings/settingsOf.ts';
import { synthesised } from './template.ts';

describe('the template', () => {
  it('records the settings that were given', () => {
    const { stack } = synthesised({ alarmEmail: 'you@example.com', dashboard: 'off' });

    expect(stack.templateOptions.metadata).toEqual({
      'parley:settings': { alarmEmail: 'you@example.com', dashboard: 'off' },
    });
    Annotations.fromStack(stack).hasNoInfo('*', Match.stringLikeRegexp('Nobody is notified'));
  });

  it('says that nobody is notified without a recipient of alarms', () => {
    const { stack } = synthesised({});

    Annotations.fromStack(stack).hasInfo('*', Match.stringLikeRegexp('Nobody is notified'));
  });
});

describe('an empty setting', () => {
  it('is the default, and is not recorded', () => {
    const app = new App({ context: { alarmEmail: '', stage: 'test', accountConcurrency: '10' } });

    expect(settingsOf(app).alarmEmail).toBeUndefined();
    expect(givenSettings(app)).toEqual({});
  });
});
