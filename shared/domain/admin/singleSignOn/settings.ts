import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { displayName, text } from '#shared/core/text.ts';
import { endpointUrl } from '#shared/domain/admin/bots/endpointUrl.ts';
import { ROLES, type Role } from '#shared/storage/dynamodb/workspace/roles.ts';
import type { SingleSignOn } from '#shared/storage/dynamodb/workspace/singleSignOn.ts';

const DEFAULT_SCOPE = 'openid profile email';
const DEFAULT_GROUPS_CLAIM = 'groups';

/** Ownership is granted by owners only, not by an identity provider. */
const GRANTED_ROLES = ROLES.filter((role): role is Exclude<Role, 'owner'> => role !== 'owner');
const role = () => z.enum(GRANTED_ROLES);

const domain = () =>
  z
    .string()
    .check(
      z.maxLength(253),
      z.regex(/^(?!-)[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, { error: 'Must be a domain in lower case, such as example.com' }),
    );

export const singleSignOnFields = {
  issuer: endpointUrl(),
  clientId: displayName(500),
  clientSecret: z.optional(z.nullable(text(2_000).check(z.minLength(1)))),
  scope: z.optional(
    text(500).check(z.refine(value => value.split(' ').includes('openid'), { error: 'Must contain the scope openid' })),
  ),
  groupsClaim: z.optional(displayName(200)),
  roles: z.optional(z.array(z.object({ group: displayName(500), role: role() })).check(z.maxLength(50))),
  defaultRole: z.optional(z.nullable(role())),
  emailDomains: z.optional(z.array(domain()).check(z.maxLength(20))),
};
const Fields = z.object(singleSignOnFields);
export type SingleSignOnFields = z.infer<typeof Fields>;

export const SingleSignOnView = z.object({
  issuer: z.string(),
  clientId: z.string(),
  hasClientSecret: z.boolean(),
  scope: z.string(),
  groupsClaim: z.string(),
  roles: z.array(z.object({ group: z.string(), role: z.enum(ROLES) })),
  defaultRole: z.optional(z.enum(ROLES)),
  emailDomains: z.array(z.string()),
  updatedAt: dateTime(),
});

export const viewSingleSignOn = (settings: SingleSignOn): z.infer<typeof SingleSignOnView> => ({
  issuer: settings.issuer,
  clientId: settings.clientId,
  hasClientSecret: settings.clientSecret !== undefined,
  scope: settings.scope,
  groupsClaim: settings.groupsClaim,
  roles: settings.roles,
  defaultRole: settings.defaultRole,
  emailDomains: settings.emailDomains,
  updatedAt: iso(settings.updatedAtMs),
});

/** Applies the fields of a call. Omitted ones get their defaults, except the secret, which stays. */
export const settingsOf = (
  fields: SingleSignOnFields,
): Omit<SingleSignOn, 'id' | 'clientSecret' | 'updatedAtMs' | 'version'> => ({
  issuer: fields.issuer,
  clientId: fields.clientId,
  scope: fields.scope ?? DEFAULT_SCOPE,
  groupsClaim: fields.groupsClaim ?? DEFAULT_GROUPS_CLAIM,
  roles: fields.roles ?? [],
  defaultRole: fields.defaultRole ?? undefined,
  emailDomains: fields.emailDomains ?? [],
});
