/** Lists states of the bot, of current and removed installations, and of one conversation, user or workflow. */
import * as z from 'zod/mini';
import type { BotCall } from '#shared/api/operations/platform.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { StateView, viewState } from '#shared/domain/messaging/botViews/stateView.ts';
import { type ScopedCall, shownName, storedName } from '#shared/domain/messaging/callerScope.ts';
import { type Bot, findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { listStates, listStatesOfRecord, type STATE_TYPES, type State } from '#shared/storage/dynamodb/chat/states.ts';
import type { ListEntry } from '#shared/storage/dynamodb/lists/sortInMemory.ts';
import { currentStatesOf } from './findState.ts';

export const ListedState = z.extend(z.omit(StateView, { payload: true }), {
  /** Id of the bot, conversation, user or workflow, alias of an installation, or webhook of a removed installation. */
  ownerId: z.string(),
  isInstalled: z.boolean(),
});
type ListedState = z.infer<typeof ListedState>;

type ListCall = ScopedCall & Pick<BotCall<unknown>, 'pageStart'>;

export interface StateFilter {
  type?: (typeof STATE_TYPES)[number] | undefined;
  /** Required for types whose states are stored with their owner. */
  ownerId?: string | undefined;
}

/** @throws ApiError InvalidPayload, or ResourceNotFound for the owner */
export async function listStatesOf(
  call: ListCall,
  { type, ownerId }: StateFilter,
): Promise<AsyncIterable<ListEntry<ListedState>>> {
  if (type === undefined || type === 'bot' || type === 'integration') {
    if (ownerId === undefined) return listShared(call, type);
    throw invalidPayload('Applies to the types conversation, user and workflow only.', 'ownerId');
  }
  if (ownerId === undefined) throw invalidPayload(`Must name the ${type} whose states are listed.`, 'ownerId');
  const isCurrent = await currentStatesOf(call, { type, id: ownerId });
  // Integrations see their own states only, whose stored names have their prefix.
  const prefix = storedName(call, '');
  return (async function* () {
    for await (const { sortKey, record } of listStatesOfRecord(call.botId, { type, ownerId }, call.pageStart)) {
      const isWanted = isCurrent(record) && record.name.startsWith(prefix);
      yield { sortKey, record: isWanted ? view(call, call.bot, record) : undefined };
    }
  })();
}

async function listShared(
  call: ListCall,
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
    isInstalled: state.type !== 'integration' || installation !== undefined,
  };
}
