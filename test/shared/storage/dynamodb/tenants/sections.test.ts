/** Tests that every partition is in the list by which tenants are deleted and exported. */
import { describe, expect, it } from 'vitest';
import { type Domain, PARTITIONS } from '#shared/storage/dynamodb/keys/partitions.ts';
import { ANY_BOT } from '#shared/storage/dynamodb/keys/table.ts';
import { KINDS, kindOf } from '#shared/storage/dynamodb/tenants/itemKinds.ts';
import {
  NOT_LISTED_PREFIXES,
  SECTIONS,
  TENANT_KINDS,
  TENANTLESS_PREFIXES,
} from '#shared/storage/dynamodb/tenants/sections.ts';

const ANY_TENANT = new RegExp(
  `^(${ANY_BOT.replaceAll('?', '\\?')}|wkspace_\\*|intver_\\*|ifver_\\*|plugver_\\*|\\*)(?=#)`,
);
/** Index partitions of cross-tenant records. */
const LISTS = new Set(['parked#*']);

describe('the list of partitions', () => {
  const listed = new Set([
    ...TENANT_KINDS.flatMap(kind => SECTIONS[kind].flatMap(({ patterns }) => patterns)),
    ...NOT_LISTED_PREFIXES,
  ]);
  const patterns = (Object.entries(PARTITIONS) as [Domain, readonly string[]][])
    .filter(([domain]) => !TENANTLESS_PREFIXES.includes(domain))
    .flatMap(([domain, own]) => own.map(pattern => [domain, pattern] as const));

  it.each(patterns.filter(([, pattern]) => !LISTS.has(pattern)))('includes that of %s: %s', (_, pattern) => {
    expect([...listed]).toContain(pattern.replace(ANY_TENANT, ''));
  });

  it('contains only existing partitions', () => {
    const existing = patterns.map(([, pattern]) => pattern.replace(ANY_TENANT, ''));

    expect([...listed].filter(pattern => !existing.includes(pattern))).toEqual([]);
  });
});

describe('the kinds of items', () => {
  it('rejects an undeclared item', () => {
    const pk = '8f14e45f-ceea-467f-9575-0123456789ab#novelty';

    expect(() => kindOf({ pk, sk: 'a' })).toThrow('Declare it in');
  });

  it('states why a kind is excluded from an export', () => {
    for (const { kind, leftOut } of KINDS) expect(leftOut ?? 'exported', kind).not.toBe('');
  });
});
