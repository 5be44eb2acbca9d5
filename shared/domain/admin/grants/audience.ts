import type { Integration } from '#shared/storage/dynamodb/integrations/integrations.ts';

type Visibility = Integration['visibility'];

const AUDIENCES: readonly Visibility[] = ['private', 'unlisted', 'public'];

/** Returns true if a change of the visibility opens a package to other workspaces, or lists it for them. */
export const opensTo = (before: Visibility, after: Visibility) => AUDIENCES.indexOf(after) > AUDIENCES.indexOf(before);
