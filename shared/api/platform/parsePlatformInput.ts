import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { parseInput } from '#shared/api/steps/parseInput.ts';
import { readQuery } from './readQuery.ts';

const read = parseInput(readQuery, ({ body }) => body);

export const parsePlatformInput = (operation: PlatformOperation) => read(operation);
