/** `npm run replay -- --bot <id>`: redelivers events that the endpoints of a bot or its integrations rejected. */

import { runCommand, targetOptions, UsageError, useTarget } from '#infra/operator/target/target.ts';
import { parseCommand } from '#infra/settings/commandLine.ts';
import { replayEvents } from '#shared/events/delivery/replayEvents.ts';
import { isReachable } from '#shared/outbound/code/callTarget.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';

const USAGE = 'npm run replay -- --bot <id> [--since 2026-11-20T00:00:00Z] [--stack Parley | --local]';

await runCommand(async () => {
  const { values } = parseCommand(USAGE, {
    options: { ...targetOptions, bot: { type: 'string' }, since: { type: 'string' } },
  });
  const { bot: botId, since } = values;
  const sinceMs = since === undefined ? undefined : Date.parse(since);
  if (!botId || Number.isNaN(sinceMs)) throw new UsageError(USAGE);
  await useTarget(values);
  const bot = await findBot(botId);
  if (!bot) throw new UsageError(`Bot ${botId} was not found. Check --bot.`);
  const goesOut = bot.installations.some(({ isChat }) => !isChat);
  if (!isReachable(bot) && !goesOut) throw new UsageError(`Bot ${botId} has no url to deliver to. Set one first.`);
  let count = 0;
  let after: string | undefined;
  do {
    const { replayed, next } = await replayEvents(botId, { sinceMs, after });
    count += replayed;
    after = next;
  } while (after);
  process.stdout.write(`${count} deliveries are queued${bot.url ? ` for ${bot.url}` : ''}.\n`);
});
