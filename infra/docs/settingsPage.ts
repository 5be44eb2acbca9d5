/** Generates `docs/reference/settings.md`. */
import { SETTINGS } from '#infra/settings/settings.ts';
import { code, page, table } from './markdown.ts';

export const settingsPage = (): string =>
  page(
    '# Settings',
    'Settings are CDK context: `npm run deploy -- -c name=value`, or the file cdk.context.json. `npm run deploy` keeps the settings of the deployed stack that a deployment omits; `-c name=` returns one to its default. Settings in the context `stages` override others for a stage: with `{ "stages": { "staging": { "alarmEmail": "you@example.com" } } }`, `-c stage=staging` deploys the stack `Parley-staging`. An unknown name or an invalid value stops the deployment before it begins. [Operations](../operations.md) explains the settings.',
    table(
      ['Setting', 'Meaning', 'Values', 'Default'],
      Object.entries(SETTINGS).map(([name, { meaning, values, unless }]) => [code(name), meaning, values, unless]),
    ),
  );
