import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as consumers from '#functions/events/index.ts';
import * as socketRoutes from '#functions/socket/index.ts';
import { apis } from '#infra/gateway/apis.ts';
import { ALARM_KINDS } from '#infra/stack/watch/alarms.ts';
import { QUEUE_NAMES } from '#shared/storage/queues/queueSettings.ts';
import { EVERY_SETTING } from './everySetting.ts';
import { type Synthesised, synthesised } from './template.ts';

const ROOT = join(import.meta.dirname, '../../..');
const watched = synthesised({ alarmEmail: 'you@example.com' });
const plain = synthesised();
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:pager';
const other = synthesised({ alarmTopic: TOPIC, dashboard: 'off', logRetentionDays: '365', tracing: 'on' });
const ofType = ({ all }: Synthesised, type: string) =>
  all.filter(([, { Type }]) => Type === type).map(([, { Properties }]) => Properties);
const alarms: { AlarmName: string; AlarmDescription: string; [name: string]: unknown }[] = ofType(
  watched,
  'AWS::CloudWatch::Alarm',
);
const named = (name: string) => alarms.find(({ AlarmName }) => AlarmName === `Parley-${name}`);

describe('alarms', () => {
  it('exists only with a recipient, because alarms cost money', () => {
    expect(ofType(plain, 'AWS::CloudWatch::Alarm')).toEqual([]);
    expect(ofType(watched, 'AWS::SNS::Subscription')).toMatchObject([
      { Protocol: 'email', Endpoint: 'you@example.com' },
    ]);
  });

  it('notifies a given topic, such as a pager', () => {
    const paged = ofType(other, 'AWS::CloudWatch::Alarm');

    for (const { AlarmActions, OKActions } of paged) expect([...AlarmActions, ...OKActions]).toEqual([TOPIC, TOPIC]);
    expect(paged).toHaveLength(alarms.length);
  });

  it.each(QUEUE_NAMES)('watches the age of the queue %s and its dead letters', name => {
    expect(named(`queue-age-${name}`)).toBeDefined();
    expect(named(`dead-letter-queues-${name}`)).toBeDefined();
  });

  it('watches every queue of the stack by its name', () => {
    const ids = Object.entries(watched.root).flatMap(([id, { Type }]) => (Type === 'AWS::SQS::Queue' ? id : []));
    const text = JSON.stringify(alarms);

    for (const id of ids) expect(text, id).toContain(`"Fn::GetAtt":["${id}","QueueName"]`);
  });

  it.each(apis.map(({ name }) => name))('watches errors and latency of %s', name => {
    expect(named(`failures-${name}`)).toBeDefined();
    expect(named(`latency-${name}`)).toBeDefined();
    expect(named(`refusals-${name}`)).toBeDefined();
  });

  it('watches the stream, the schedule or the queue of every consumer', () => {
    for (const { name, trigger } of Object.values(consumers)) {
      if ('stream' in trigger) expect(named(`stream-age-${name}`), name).toBeDefined();
      else if ('everyMinutes' in trigger) expect(named(`schedule-failed-${name}`), name).toBeDefined();
      else expect(named(`queue-age-${trigger.queue}`), name).toBeDefined();
    }
  });

  it('describes the impact and the runbook', () => {
    for (const { AlarmName, AlarmDescription } of alarms) {
      const [, runbook] =
        / What to do: (docs\/operations\/runbooks\/[\w-]+\.md) \([\w-]+\)$/.exec(AlarmDescription) ?? [];
      expect(runbook && existsSync(join(ROOT, runbook)), AlarmName).toBe(true);
    }
  });

  it.each(Object.keys(ALARM_KINDS))('has a runbook for %s with symptoms, diagnosis and resolution', kind => {
    const text = readFileSync(join(ROOT, 'docs/operations/runbooks', `${kind}.md`), 'utf8');

    for (const part of ['## Symptoms', '## Diagnosis', '## Resolution']) expect(text).toContain(part);
  });

  it('watches only metrics of the stack, not those of other workloads in the account', () => {
    interface Metric {
      Namespace: string;
      MetricName: string;
      Dimensions?: { Name: string; Value: unknown }[];
    }
    const metricsOf = ({ Metrics, ...single }: { Metrics?: { MetricStat?: { Metric: Metric } }[] }): Metric[] =>
      Metrics ? Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []) : [single as unknown as Metric];

    for (const alarm of alarms)
      for (const { Namespace, MetricName, Dimensions = [] } of metricsOf(alarm as never)) {
        if (Namespace === 'Parley') continue;
        const values = Dimensions.map(({ Value }) => JSON.stringify(Value));
        // References to resources of the stack, the stack's name, or the index of a table.
        expect(
          values.some(value => /"(?:Ref|Fn::GetAtt)"|Parley-/.test(value)),
          `${alarm.AlarmName}: ${MetricName}`,
        ).toBe(true);
      }
  });

  it('watches throttled API calls and throttled consumers with users waiting, within ten metrics', () => {
    const { Metrics } = named('throttles-functions') as unknown as {
      Metrics: { MetricStat?: { Metric: { Namespace: string; MetricName: string } } }[];
    };
    const watchedMetrics = Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
    const count = (name: string) => watchedMetrics.filter(({ MetricName }) => MetricName === name).length;

    expect(apis.map(({ name }) => count(`throttled-${name}`))).toEqual([1, 1, 1]);
    expect(count('Throttles')).toBe(6);
    expect(watchedMetrics.length).toBeLessThanOrEqual(10);
  });

  it('watches only metrics of its own stage', () => {
    const text = JSON.stringify(alarms.map(({ Metrics, Namespace }) => [Metrics, Namespace]));

    expect(text).not.toContain('"Namespace":"parley');
    for (const { Namespace } of alarms)
      expect(['AWS/SQS', 'AWS/Lambda', 'AWS/DynamoDB', 'Parley', undefined]).toContain(Namespace);
  });
});

describe('the dashboard', () => {
  const [dashboard] = ofType(plain, 'AWS::CloudWatch::Dashboard');

  it('exists unless it is disabled', () => {
    expect(JSON.stringify(dashboard.DashboardName)).toContain('"Parley-dashboard-",{"Ref":"AWS::Region"}');
    expect(ofType(other, 'AWS::CloudWatch::Dashboard')).toEqual([]);
  });

  it('shows every API and every queue', () => {
    const text = JSON.stringify(dashboard.DashboardBody);

    for (const name of [...QUEUE_NAMES, ...apis.map(api => api.name)]) expect(text).toContain(`\\"${name}\\"`);
  });
});

describe('every function', () => {
  it.each([
    [plain, 30],
    [other, 365],
    [synthesised(EVERY_SETTING), 30],
    [synthesised({ console: 'off' }), 30],
  ])(
    "logs to a group that expires after the operator's retention, including the functions of the CDK (%#)",
    (stack, days) => {
      const groups = stack.all.filter(([, { Type }]) => Type === 'AWS::Logs::LogGroup');

      expect(groups.map(([, { Properties }]) => Properties.LogGroupName)).toContain('/parley/Parley/chat');
      for (const [, { Properties }] of groups) expect(Properties.RetentionInDays).toBe(days);
      const functions = stack.all.filter(([, { Type }]) => Type === 'AWS::Lambda::Function');
      for (const [id, { Properties }] of functions) {
        const { Ref } = Properties.LoggingConfig.LogGroup;
        // Nested stacks receive the name as a parameter with the path of the group.
        const paths = groups.map(([group]) => group.replace(/[0-9A-F]{8}$/, ''));
        expect(
          paths.some(path => new RegExp(`^(?:reference\\w*?)?${path}[0-9A-F]{8}(?:Ref)?$`).test(Ref)),
          `${id}: ${Ref}`,
        ).toBe(true);
      }
    },
  );

  it("shares the AWS CLI's layer among file deployments", () => {
    const layers = ofType(plain, 'AWS::Lambda::LayerVersion').filter(({ Description }) => /awscli/.test(Description));
    const users = ofType(plain, 'AWS::Lambda::Function').filter(({ Runtime }) => Runtime.startsWith('python'));

    expect(ofType(plain, 'Custom::CDKBucketDeployment')).toHaveLength(3);
    expect([layers.length, users.length, users[0].Layers.length]).toEqual([1, 1, 1]);
  });

  it('times out before the gateway that invokes it', () => {
    const behind = plain.functions.filter(({ description }) => description.includes('-'));
    for (const { properties, description } of behind) {
      const isStream = properties.Timeout === 900;
      expect(isStream || properties.Timeout <= 29, description).toBe(true);
    }
  });

  it('is traced on demand, through one policy', () => {
    for (const { properties, description } of other.functions)
      expect(properties.TracingConfig, description).toEqual({ Mode: 'Active' });
    for (const { properties } of plain.functions) expect(properties.TracingConfig).toBeUndefined();
    const policies = ofType(other, 'AWS::IAM::ManagedPolicy').filter(each => JSON.stringify(each).includes('xray:'));
    expect(policies).toHaveLength(1);
    for (const stage of ofType(other, 'AWS::ApiGateway::Stage')) expect(stage.TracingEnabled).toBe(true);
  });
});

interface AliasResource {
  UpdatePolicy: { CodeDeployLambdaAliasUpdate: { ApplicationName: string; DeploymentGroupName: string } };
}

describe('a gradual rollout', () => {
  const gradual = synthesised({ alarmEmail: 'you@example.com', rollout: 'gradual' });

  it('routes a tenth of the calls of every operation to a new version, unless alarms fire', () => {
    const groups = ofType(gradual, 'AWS::CodeDeploy::DeploymentGroup');

    expect(groups).toHaveLength(apis.flatMap(api => api.operations).length + Object.keys(socketRoutes).length);
    for (const { DeploymentConfigName, AutoRollbackConfiguration, AlarmConfiguration } of groups) {
      expect(DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent5Minutes');
      expect(AutoRollbackConfiguration.Events).toContain('DEPLOYMENT_STOP_ON_ALARM');
      expect(AlarmConfiguration.Alarms).toHaveLength(apis.length + 1);
    }
  });

  it('makes gateways call the alias of the live version', () => {
    const [api] = ofType(gradual, 'AWS::ApiGateway::RestApi');

    expect(JSON.stringify(api.Body)).toContain('function:Parley-chat-createMessage:live/');
    expect(JSON.stringify(ofType(plain, 'AWS::ApiGateway::RestApi')[0].Body)).not.toContain(':live/');
  });

  it('names the existing deployment group of each alias', () => {
    const [application] = ofType(gradual, 'AWS::CodeDeploy::Application');
    const groups = ofType(gradual, 'AWS::CodeDeploy::DeploymentGroup').map(each => each.DeploymentGroupName);
    const aliases = gradual.all.filter(([, { Type }]) => Type === 'AWS::Lambda::Alias').map(([, alias]) => alias);
    const updates = aliases.map(alias => (alias as never as AliasResource).UpdatePolicy.CodeDeployLambdaAliasUpdate);

    expect(new Set(updates.map(({ ApplicationName }) => ApplicationName))).toEqual(
      new Set([application.ApplicationName]),
    );
    expect(updates.map(({ DeploymentGroupName }) => DeploymentGroupName).sort()).toEqual(groups.sort());
    const [, functions] = Object.entries(gradual.root).find(([id]) => id.startsWith('adminfunctionsNestedStack'))!;
    expect(functions).toMatchObject({
      DependsOn: expect.arrayContaining([expect.stringMatching(/^RolloutadminNestedStack/)]),
    });
  });

  it('is rejected without alarms', () => {
    expect(() => synthesised({ rollout: 'gradual' })).toThrow(
      'rollout=gradual requires alarms for rollbacks. Set alarmEmail or alarmTopic',
    );
  });
});
