/** Changes of a workspace and their authors, with filters that the API applies. */
import { Anchor, Button, Code, Group, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Fragment, useMemo } from 'react';
import { useParley, useWorkspaceId } from '../api/clients.ts';
import { useAction } from '../api/useAction.ts';
import { pageOf, useList } from '../api/useList.ts';
import { IconClipboardList, IconDownload } from '../icons/tabler.ts';
import { workspace } from '../messages/en/workspace.ts';
import { translator } from '../messages/translate.ts';
import { textOf } from '../navigation/addressQuery.ts';
import { useAddress, useAddressChoice } from '../navigation/useAddress.ts';
import { saveCsv } from '../parts/csv.ts';
import { FilterSelect } from '../parts/Fields.tsx';
import { Monogram } from '../parts/Monogram.tsx';
import { Page, Toolbar } from '../parts/Page.tsx';
import { Rows, When } from '../parts/Small.tsx';
import { Empty, LoadedList } from '../parts/States.tsx';
import {
  AUDIT_KINDS,
  type AuditRecord,
  inWords,
  kindOf,
  pageOfId,
  pageOfResource,
  restOf,
  rowsOf,
} from './auditRecords.ts';
import { useActors } from './useActors.ts';

const t = translator('workspace', workspace);

const ALL = '';
const DAY_MS = 24 * 3_600_000;
const DAYS = [ALL, '1', '7', '30', '90'] as const;
const KINDS = [ALL, ...AUDIT_KINDS] as const;
/** Bounds an export. */
const MAX_EXPORTED = 5_000;

export function Audit() {
  const parley = useParley();
  const workspaceId = useWorkspaceId();
  const { query, change } = useAddress();
  const actorId = textOf(query, 'actor');
  const [kind, setKind] = useAddressChoice('action', KINDS);
  const [days, setDays] = useAddressChoice('days', DAYS);
  const since = useMemo(
    () => (days === ALL ? undefined : new Date(Date.now() - Number(days) * DAY_MS).toISOString()),
    [days],
  );
  const { nameOf, options } = useActors();
  const filters = {
    ...(actorId === ALL ? {} : { actorId }),
    ...(kind === ALL ? {} : { kind }),
    ...(since === undefined ? {} : { since }),
  };
  const read = (nextToken: string | undefined, pageSize?: number) =>
    parley.listAuditRecords(workspaceId, { ...filters, nextToken, pageSize });
  const list = useList(['audit', workspaceId, filters], async nextToken => {
    const answer = await read(nextToken);
    return pageOf(answer.records as AuditRecord[], answer);
  });
  const exportCsv = useAction(
    async () => {
      const records: AuditRecord[] = [];
      let nextToken: string | undefined;
      do {
        const answer = await read(nextToken, 100);
        records.push(...(answer.records as AuditRecord[]));
        nextToken = answer.meta.nextToken;
      } while (nextToken !== undefined && records.length < MAX_EXPORTED);
      const isCut = nextToken !== undefined;
      saveCsv('audit-log.csv', rowsOf(HEADS(), records.slice(0, MAX_EXPORTED)));
      return isCut ? t('exportedSome', { count: MAX_EXPORTED }) : t('exported', { count: records.length });
    },
    { done: message => message },
  );
  const heads = [t('time'), t('actor'), t('action'), t('resource'), t('value')];
  return (
    <Page
      title={t('auditLog')}
      about={t('auditAbout')}
      isWide
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          loading={exportCsv.isPending}
          onClick={() => exportCsv.mutate(undefined)}
        >
          {t('exportCsv')}
        </Button>
      }
    >
      <Toolbar>
        <FilterSelect
          label={t('actor')}
          options={[{ value: ALL, label: t('allActors') }, ...options]}
          value={actorId}
          onChange={value => change({ actor: value })}
        />
        <FilterSelect
          label={t('action')}
          options={KINDS.map(value => ({ value, label: value === ALL ? t('allActions') : inWords(value) }))}
          value={kind}
          onChange={setKind}
        />
        <FilterSelect
          label={t('timeSpan')}
          options={DAYS.map(value => ({
            value,
            label: value === ALL ? t('anyTime') : t('lastDays', { count: Number(value) }),
          }))}
          value={days}
          onChange={setDays}
        />
      </Toolbar>
      <LoadedList
        list={list}
        heads={heads}
        empty={
          <Empty Icon={IconClipboardList} title={t(Object.keys(filters).length > 0 ? 'noMatch' : 'noEntries')}>
            {t(Object.keys(filters).length > 0 ? 'noMatchAbout' : 'noEntriesAbout')}
          </Empty>
        }
      >
        {records => (
          <Rows label={t('auditLog')} heads={heads}>
            {records.map(record => (
              <Table.Tr key={record.id}>
                <Table.Td miw={0}>
                  <When at={record.recordedAt} isExact />
                </Table.Td>
                <Table.Td>
                  <Actor record={record} name={nameOf(record.userId)} />
                </Table.Td>
                <Table.Td style={{ fontWeight: 500, whiteSpace: 'nowrap' }}>{inWords(kindOf(record))}</Table.Td>
                <Table.Td>
                  <Resource record={record} />
                </Table.Td>
                <Table.Td miw={180}>
                  <Value record={record} nameOf={nameOf} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Rows>
        )}
      </LoadedList>
    </Page>
  );
}

const HEADS = () => [t('time'), t('actor'), t('action'), t('resource'), t('resourceId'), t('value')];

function Actor({ record: { userId, userEmail }, name }: { record: AuditRecord; name: string | undefined }) {
  const shown = name ?? userEmail ?? userId ?? t('platform');
  return (
    <Group gap="xs" wrap="nowrap">
      <Monogram name={shown} id={userId ?? ''} size={22} />
      <div style={{ whiteSpace: 'nowrap' }}>
        <Text size="sm">{shown}</Text>
        {userEmail && userEmail !== shown && (
          <Text size="xs" c="dimmed">
            {userEmail}
          </Text>
        )}
      </div>
    </Group>
  );
}

function Resource({ record }: { record: AuditRecord }) {
  const page = pageOfResource(record);
  const { resourceName, resourceId } = record;
  const shown = resourceName ? (
    <span style={{ whiteSpace: 'nowrap' }}>{resourceName}</span>
  ) : (
    <Code bg="transparent" p={0} style={{ whiteSpace: 'nowrap' }}>
      {resourceId}
    </Code>
  );
  if (page === undefined) return shown;
  return (
    <Anchor component={Link} to={page as string} size="sm">
      {shown}
    </Anchor>
  );
}

/** The value as words. Ids of conversations are links, and accounts are names. */
function Value({ record, nameOf }: { record: AuditRecord; nameOf: (id: string) => string | undefined }) {
  const assigneeOr = (text: string) => {
    const member = nameOf(text);
    if (member === undefined) return text;
    return kindOf(record).endsWith('_HANDOFF') ? t('assignedTo', { member }) : member;
  };
  // Values have no ids, so their words are keyed by their place.
  const words = restOf(record)
    .split(' ')
    .map((text, place) => ({ text, key: `${place} ${text}` }));
  return (
    <Text size="sm" span style={{ overflowWrap: 'anywhere' }}>
      {words.map(({ text, key }) => {
        const page = pageOfId(text, record);
        return (
          <Fragment key={key}>
            {page === undefined ? (
              <bdi>{assigneeOr(text)}</bdi>
            ) : (
              <Anchor component={Link} to={page as string} size="sm" title={text}>
                {t('conversation')}
              </Anchor>
            )}{' '}
          </Fragment>
        );
      })}
    </Text>
  );
}
