import type * as z from 'zod/mini';
import type { ChatOperation } from '#shared/api/operations/chat.ts';
import { parseInput } from '#shared/api/steps/parseInput.ts';
import type { ChatState } from './chatState.ts';

const read = parseInput(
  ({ queryStringParameters }) => queryStringParameters ?? {},
  (operation, call): z.ZodMiniType | undefined => {
    const { extendedBody, body } = operation as ChatOperation;
    return ((call as ChatState).webhook.payloadExtensions && extendedBody) || body;
  },
);

export const parseChatInput = (operation: ChatOperation) => read(operation);
