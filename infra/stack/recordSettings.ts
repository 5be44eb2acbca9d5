import { Annotations, type Stack } from 'aws-cdk-lib';
import { givenSettings, settingsOf } from '#infra/settings/settingsOf.ts';

export const SETTINGS_METADATA = 'parley:settings';

/** Records the settings in the template, from which `npm run deploy` keeps those that the next deployment omits. */
export function recordSettings(stack: Stack): void {
  stack.templateOptions.metadata = { ...stack.templateOptions.metadata, [SETTINGS_METADATA]: givenSettings(stack) };
  const { alarmEmail, alarmTopic } = settingsOf(stack);
  if (alarmEmail ?? alarmTopic) return;
  Annotations.of(stack).addInfo('Nobody is notified of failures: set alarmEmail or alarmTopic.');
}
