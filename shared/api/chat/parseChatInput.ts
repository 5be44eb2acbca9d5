/** How the chat interface reads its input. */
import type * as z from 'zod/mini';
import { parseInput } from '#shared/api/steps/parseInput.ts';
import type { ChatOperation } from './operation.ts';
import type { ChatState } from './state.ts';

const read = parseInput(
  ({ queryStringParameters }) => queryStringParameters ?? {},
  (operation, call): z.ZodMiniType | undefined => {
    const { extendedBody, body } = operation as ChatOperation;
    return ((call as ChatState).webhook.payloadExtensions && extendedBody) || body;
  },
);

// A function of its own, so that the chain can be read by its names.
export const parseChatInput = (operation: ChatOperation) => read(operation);
