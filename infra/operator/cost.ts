/** `npm run cost -- --messages 1000000 --listeners 500`: prints the monthly AWS price of a load or a workspace. */

import { readFile } from 'node:fs/promises';
import { runCommand, targetOptions, UsageError, useTarget } from '#infra/operator/target/target.ts';
import { parseCommand } from '#infra/settings/commandLine.ts';
import { monthOf } from '#shared/core/calendar.ts';
import { clock } from '#shared/core/clock.ts';
import { LOAD_OPTIONS, type LoadOption, parseLoad } from './cost/costLoad.ts';
import { estimate, type Line } from './cost/estimate.ts';
import { PRICES_AS_OF, pricesOf, withOwnPrices } from './cost/prices.ts';
import { asText } from './cost/report.ts';
import { workspaceLoad } from './cost/workspaceLoad.ts';

const USAGE = [
  'npm run cost -- --messages 1000000 --listeners 500 --files 10000',
  ...Object.entries(LOAD_OPTIONS).map(([name, meaning]) => `  --${name.padEnd(16)} ${meaning}`),
  '  --alarms           with alarms and the canary',
  '  --workspace <id>   the recorded usage of a workspace in --month 2026-11 or this month [--stack Parley | --local]',
  '  --region <name>    default us-east-1',
  '  --prices <file>    a JSON object of prices that replace list prices',
].join('\n');

const numbers = Object.fromEntries(Object.keys(LOAD_OPTIONS).map(name => [name, { type: 'string' }])) as Record<
  LoadOption,
  { type: 'string' }
>;

await runCommand(async () => {
  const { values } = parseCommand(USAGE, {
    options: {
      ...targetOptions,
      ...numbers,
      alarms: { type: 'boolean', default: false },
      workspace: { type: 'string' },
      month: { type: 'string', default: monthOf(clock.now()) },
      region: { type: 'string', default: 'us-east-1' },
      prices: { type: 'string' },
    },
  });
  const { workspace, month, region, prices: file } = values;
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw new UsageError('--month must be a month such as 2026-11.');
  const list = pricesOf(region);
  const prices = file === undefined ? list : withOwnPrices(list, await textOf(file));
  const given = parseLoad(values, { hasAlarms: values.alarms });
  const lines: Line[] = [];
  if (workspace === undefined) lines.push(...estimate(given, prices));
  else {
    await useTarget(values);
    const { load, modelUsd } = await workspaceLoad(workspace, month, given);
    lines.push(...estimate(load, prices));
    if (modelUsd > 0) lines.push({ service: 'Language model', what: 'recorded as ai_spend', usd: modelUsd });
    process.stdout.write(`${workspace} in ${month}: ${load.messages} messages, ${load.bots} bots.\n`);
  }
  process.stdout.write(`${asText(lines)}\n\n`);
  process.stdout.write(
    `List prices of ${region}, ${PRICES_AS_OF}${file ? `, and ${file}` : ''}; no free tier, no discount. See docs/cost.md.\n`,
  );
});

function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => {
    throw new UsageError(`Cannot read ${file}. Set --prices to a readable JSON file.`);
  });
}
