/** The page `docs/reference/settings.md`: what an operator may set. */
import { SETTINGS } from '#infra/settings/settings.ts';
import { code, page, table } from './markdown.ts';

export const settingsPage = (): string =>
  page(
    '# Settings',
    'Settings are CDK context: `npm run deploy -- -c name=value`, or `context` in cdk.json. Pass the same settings to every deployment: omitted settings return to their defaults. The context `stages` contains settings per stage, which take precedence. With `{ "stages": { "staging": { "alarmEmail": "you@example.com" } } }`, `-c stage=staging` deploys the stack `Parley-staging` with that setting. A misspelled name or a value out of range stops the deployment before it begins. [Operations](../operations.md) explains the settings.',
    table(
      ['Setting', 'Meaning', 'Values', 'Default'],
      Object.entries(SETTINGS).map(([name, { meaning, values, unless }]) => [code(name), meaning, values, unless]),
    ),
  );
