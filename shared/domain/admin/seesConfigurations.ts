import { PERMISSIONS } from '#shared/api/permissions.ts';
import type { Role } from '#shared/storage/dynamodb/workspace/roles.ts';

/**
 * Returns true for roles that may change bots. They also see configurations, without secret fields, and URLs that
 * anyone who knows them can use: endpoints and webhooks.
 */
export const seesConfigurations = (role: Role): boolean => role in PERMISSIONS.admin.updateBot;
