/** Calls the endpoints of changed installations after the write, within the operation. */
import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { callRegistration, type Installed } from '#shared/outbound/installations/callIntegration.ts';
import {
  type RegistrationOutcome,
  recordRegistrations,
  withOutcomes,
} from '#shared/outbound/installations/registration.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Registration } from '#shared/storage/dynamodb/bots/installation.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { putLogLine } from '#shared/storage/dynamodb/workspace/logs.ts';
import type { EndpointCalls } from './endpointCalls.ts';

/** Together they leave time for reads and writes within the operation's 29 s. */
const UNREGISTER_MS = 5_000;
const REGISTER_MS = 17_000;

const limited = (ms: number) => Math.min(ms, environment.deliveryTimeoutMs);

export async function registerInstallations(bot: Bot, { unregister, register }: EndpointCalls): Promise<Bot> {
  if (unregister.length === 0 && register.length === 0) return bot;
  // Unregistration of the former configuration precedes registration of the new one.
  const ended = await Promise.all(unregister.map(each => outcomeOf(bot, each, 'unregister', limited(UNREGISTER_MS))));
  const begun = await Promise.all(register.map(each => outcomeOf(bot, each, 'register', limited(REGISTER_MS))));
  const registered = new Set(register.map(({ installation }) => installation.alias));
  const outcomes = [...ended.filter(({ alias }) => !registered.has(alias)), ...begun];
  const after = { ...bot, installations: withOutcomes(bot.installations, outcomes) };
  try {
    await recordRegistrations(bot.id, outcomes);
    const failures = [...ended, ...begun].filter(({ reason }) => reason !== undefined);
    for (const { alias, status, reason } of failures) {
      const message = `The integration ${alias} ${WORDS[status]}: ${reason}`;
      await write([putLogLine(bot.id, { timestampMs: clock.now(), level: 'error', message })]);
    }
  } catch (error) {
    // The timer detects the missing outcome.
    log.warn('The outcome of a registration could not be stored.', { botId: bot.id, error: errorFields(error) });
    return bot;
  }
  return after;
}

const WORDS: Partial<Record<Registration['status'], string>> = {
  registration_failed: 'could not be registered',
  unregistration_failed: 'could not be unregistered',
};

async function outcomeOf(
  bot: Bot,
  installed: Installed,
  hook: 'register' | 'unregister',
  timeoutMs: number,
): Promise<RegistrationOutcome> {
  const { alias } = installed.installation;
  const { status, reason } = await callRegistration(installed, hook, timeoutMs);
  // The request of a disabled installation is in its new record.
  const current = bot.installations.find(each => each.alias === alias);
  return { alias, requestedAtMs: current?.registration?.requestedAtMs ?? 0, status, reason };
}
