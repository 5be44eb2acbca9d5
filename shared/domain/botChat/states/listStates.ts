/** Lists states that belong to no record: those of the bot, and of current and removed installations. */
import * as z from 'zod/mini';
import type { BotCall } from '#shared/api/operations/platform.ts';
import { StateView, viewState } from '#shared/domain/messaging/botViews/stateView.ts';
import { type ScopedCall, shownName } from '#shared/domain/messaging/callerScope.ts';
import { type Bot, findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { listStates, type State } from '#shared/storage/dynamodb/chat/states.ts';
import type { ListEntry } from '#shared/storage/dynamodb/lists/sortInMemory.ts';

export const ListedState = z.extend(z.omit(StateView, { payload: true }), {
  /** The bot's id, the alias of an installation, or the webhook of a removed one. */
  ownerId: z.string(),
  isInstalled: z.boolean(),
});
type ListedState = z.infer<typeof ListedState>;

/** @param type restricts the list to states of the bot or of installations */
export async function listStatesOf(
  call: ScopedCall & Pick<BotCall<unknown>, 'pageStart'>,
  type: 'bot' | 'integration' | undefined,
): Promise<AsyncIterable<ListEntry<ListedState>>> {
  const { botId, installation } = call;
  const ownerId = installation?.webhookId ?? (type === 'bot' ? botId : undefined);
  // Re-reads the bot, because the call's record may contain a removed installation.
  const bot = installation ? call.bot : ((await findBot(botId)) ?? call.bot);
  return (async function* () {
    for await (const { sortKey, record } of listStates(botId, ownerId, call.pageStart)) {
      const isWanted = type === undefined || record.type === type;
      yield { sortKey, record: isWanted ? view(call, bot, record) : undefined };
    }
  })();
}

function view(call: ScopedCall, bot: Bot, state: State): ListedState {
  const { payload: _, ...shown } = viewState(call.botId, state, shownName(call, state.name), {});
  const installation = bot.installations.find(({ webhookId }) => webhookId === state.ownerId);
  return {
    ...shown,
    ownerId: installation?.alias ?? state.ownerId,
    isInstalled: state.type === 'bot' || installation !== undefined,
  };
}
