/** Triggers one alarm of a stack, so that the operator sees its notification. */
import {
  CloudWatchClient,
  DescribeAlarmHistoryCommand,
  DescribeAlarmsCommand,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
import { ListSubscriptionsByTopicCommand, SNSClient } from '@aws-sdk/client-sns';
import { CheckFailed } from './causes.ts';
import type { Step, Steps } from './steps.ts';

/** Excludes alarms that roll back a deployment. */
const TESTED = 'dead-letters-stored';
const REASON = 'npm run smoke tests the notification. No action is needed.';

/** The AWS calls that the step makes. */
export interface AlarmCalls {
  topicOf(alarm: string): Promise<string | undefined>;
  /** Undefined for a topic of another account. */
  subscribersOf(topic: string): Promise<Subscriber[] | undefined>;
  set(alarm: string, state: 'ALARM' | 'OK'): Promise<void>;
  /** Summaries of the actions since a time, such as `Successfully executed action arn:aws:sns:…`. */
  actionsOf(alarm: string, since: Date): Promise<string[]>;
}

interface Subscriber {
  endpoint: string;
  isConfirmed: boolean;
}

/** @throws CheckFailed if nobody would be notified */
export async function notifyByAlarm(stack: string, steps: Pick<Steps, 'removeLater'>, step: Step, calls = onAws()) {
  const alarm = `${stack}-${TESTED}`;
  const topic = await calls.topicOf(alarm);
  if (topic === undefined) {
    step.remark('the stack has no alarms: set alarmEmail or alarmTopic to be notified of failures');
    return;
  }
  const subscribers = await calls.subscribersOf(topic);
  if (subscribers) requireSubscribers(topic, subscribers);

  const since = new Date();
  steps.removeLater(`the state of the alarm ${alarm}`, () => calls.set(alarm, 'OK'));
  await calls.set(alarm, 'ALARM');
  const summary = await step.until(`CloudWatch to notify ${topic}`, async () =>
    (await calls.actionsOf(alarm, since)).find(each => each.includes(topic)),
  );
  if (!summary.startsWith('Successfully')) throw new CheckFailed(`The alarm ${alarm} notified nobody: ${summary}`);
  const recipients = subscribers?.map(({ endpoint }) => endpoint).join(', ') ?? 'the subscribers of the topic';
  step.remark(`${recipients} must receive 'ALARM: "${alarm}"' within a minute, and the same with OK after it`);
}

function requireSubscribers(topic: string, subscribers: readonly Subscriber[]): void {
  if (subscribers.length === 0) {
    throw new CheckFailed(
      `Nobody subscribes to ${topic}. Subscribe an address: aws sns subscribe --topic-arn ${topic}`,
    );
  }
  const pending = subscribers.filter(({ isConfirmed }) => !isConfirmed);
  if (pending.length === 0) return;
  throw new CheckFailed(
    `${pending.map(({ endpoint }) => endpoint).join(', ')} did not confirm the subscription of alarms. ` +
      'Open the link in the e-mail "AWS Notification - Subscription Confirmation". It is valid for two days.',
  );
}

function onAws(): AlarmCalls {
  const cloudWatch = new CloudWatchClient({});
  return {
    topicOf: async alarm => {
      const { MetricAlarms = [] } = await cloudWatch.send(new DescribeAlarmsCommand({ AlarmNames: [alarm] }));
      return MetricAlarms[0]?.AlarmActions?.find(action => action.includes(':sns:'));
    },
    subscribersOf: async topic => {
      try {
        const { Subscriptions = [] } = await new SNSClient({}).send(
          new ListSubscriptionsByTopicCommand({ TopicArn: topic }),
        );
        return Subscriptions.map(({ Endpoint = '', SubscriptionArn = '' }) => ({
          endpoint: Endpoint,
          isConfirmed: SubscriptionArn.startsWith('arn:'),
        }));
      } catch (error) {
        if ((error as Error).name === 'AuthorizationErrorException') return undefined;
        throw error;
      }
    },
    set: async (alarm, state) => {
      await cloudWatch.send(new SetAlarmStateCommand({ AlarmName: alarm, StateValue: state, StateReason: REASON }));
    },
    actionsOf: async (alarm, since) => {
      const { AlarmHistoryItems = [] } = await cloudWatch.send(
        new DescribeAlarmHistoryCommand({ AlarmName: alarm, HistoryItemType: 'Action', StartDate: since }),
      );
      return AlarmHistoryItems.map(({ HistorySummary = '' }) => HistorySummary);
    },
  };
}
