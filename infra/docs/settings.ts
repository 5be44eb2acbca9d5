/** The page `docs/reference/settings.md`: what an operator may set. */
import { SETTINGS } from '#infra/settings/settings.ts';
import { code, page, table } from './markdown.ts';

export const settingsPage = (): string =>
  page(
    '# Settings',
    'Settings are CDK context: `npm run deploy -- -c name=value`, or `context` in cdk.json. Give the same ones with every deployment: those that are left out return to their default. What a stage has of its own stands in the context `stages` and wins: with `{ "stages": { "staging": { "alarmEmail": "you@example.com" } } }`, `-c stage=staging` deploys the stack `Parley-staging`. A name that is misspelled, or a value out of range, stops the deployment before it begins. [Operations](../operations.md) explains them.',
    table(
      ['Setting', 'Meaning', 'Values', 'Unless set'],
      Object.entries(SETTINGS).map(([name, { meaning, values, unless }]) => [code(name), meaning, values, unless]),
    ),
  );
